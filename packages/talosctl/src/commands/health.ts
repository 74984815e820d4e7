import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { goDurationMs, OsError } from "@talos-ts/base";
import { parseKubeconfig } from "@talos-ts/kubernetes";
import { nodeErrorOf } from "@talos-ts/machinery/client";
import { clusterChecks, createHealthSubject, quoted, runChecks, type ClusterNodes } from "@talos-ts/machinery/health";
import { ClusterService } from "@talos-ts/proto/cluster/cluster";
import type { CommandDefinition, Invocation } from "../command.ts";
import { clusterNodeOptions, clusterNodes, givenNodes } from "../session/cluster-nodes.ts";
import { downloadKubeconfig } from "../session/download-kubeconfig.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";
import { noTestPrograms } from "./conformance/kubernetes.ts";

export const command: CommandDefinition = {
  description:
    "Waits until the whole cluster is healthy, and tells each check as it passes: etcd, machines, kubelets, control plane, nodes, cluster DNS. The node asked runs the checks itself; with --server=false this command does.",
  options: [
    ...clusterNodeOptions,
    { flags: "--k8s-endpoint <url>", description: "API server to ask instead of the cluster endpoint" },
    { flags: "--run-e2e", description: "refused: `npm run conformance` runs tests of Kubernetes" },
    { flags: "--server", description: "run the checks on the node", default: true },
    { flags: "--wait-timeout <duration>", description: "longest time to wait", default: "20m0s" },
  ],
  examples: [
    "talosctl health --nodes 10.5.0.2",
    "talosctl health --control-plane-nodes 10.5.0.2 --worker-nodes 10.5.0.3 --server=false",
  ],
  async run(invocation) {
    if (flag(invocation, "runE2e")) throw noTestPrograms("health --run-e2e");
    await using session = await openSession(invocation);
    checkOneNode(session, "health");
    const timeoutMs = goDurationMs(textOption(invocation, "waitTimeout") ?? "20m0s");
    const given = givenNodes(invocation);
    await (flag(invocation, "server") ? onServer : onClient)(invocation, session, given, timeoutMs);
  },
};

async function onServer(
  invocation: Invocation,
  session: Session,
  { controlPlanes, workers }: ClusterNodes,
  timeoutMs: number,
): Promise<void> {
  const { io, signal } = invocation;
  const clusterInfo = {
    controlPlaneNodes: [...controlPlanes],
    workerNodes: [...workers],
    forceEndpoint: textOption(invocation, "k8sEndpoint") ?? "",
  };
  const request = { waitTimeout: durationFromMs(timeoutMs), clusterInfo };
  for await (const progress of session.all(ClusterService).healthCheck(request, { signal })) {
    const error = nodeErrorOf(progress);
    if (error !== undefined) throw error;
    io.err(`${progress.message}\n`);
  }
}

async function onClient(
  invocation: Invocation,
  session: Session,
  given: ClusterNodes,
  timeoutMs: number,
): Promise<void> {
  const { io, signal } = invocation;
  const endpoint = textOption(invocation, "k8sEndpoint");
  const limit = new OsError({ kind: "deadline-exceeded", message: `not healthy within ${String(timeoutMs)} ms` });
  const timeout = AbortSignal.timeout(timeoutMs);
  const access = async () => {
    const found = await parseKubeconfig(await downloadKubeconfig(session, signal));
    return endpoint === undefined ? found : { ...found, server: endpoint };
  };
  const { connection } = session;
  const discovered = await clusterNodes(session, given);
  io.err(`discovered nodes: ${quoted([...discovered.controlPlanes, ...discovered.workers])}\n`);
  using subject = createHealthSubject({ connection, nodes: discovered, access });
  await runChecks(clusterChecks, subject, {
    signal: AbortSignal.any([signal, timeout]),
    report: (line) => io.err(`${line}\n`),
  }).catch((err: unknown) => {
    throw timeout.aborted && !(err instanceof OsError) ? limit : err;
  });
}
