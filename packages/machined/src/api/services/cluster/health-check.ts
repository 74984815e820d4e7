import { durationMs } from "@bufbuild/protobuf/wkt";
import { createQueue, OsError, type Clock } from "@talos-ts/base";
import { findTyped, kindOf, type Resource, type State } from "@talos-ts/cosi";
import { tlsPrivateKey } from "@talos-ts/crypto";
import type { ServiceImpl } from "@talos-ts/grpc";
import { parseKubeconfig, type KubernetesAccess } from "@talos-ts/kubernetes";
import { connectApi, type ApiConnection } from "@talos-ts/machinery/client";
import type { Config } from "@talos-ts/machinery/config";
import {
  clusterChecks,
  createHealthSubject,
  nodesFromMembers,
  quoted,
  runChecks,
  type ClusterNodes,
} from "@talos-ts/machinery/health";
import { Member, type MemberSpec } from "@talos-ts/machinery/resources/cluster";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { roles } from "@talos-ts/machinery/roles";
import { bundleFromConfig, issueLeaf } from "@talos-ts/machinery/secrets";
import type { ClusterInfo, ClusterService } from "@talos-ts/proto/cluster/cluster";
import type { ConfigStore } from "../../../config-store.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";

interface Dependencies {
  readonly clock: Clock;
  readonly config: ConfigStore;
  readonly state: State;
}

type Handler = NonNullable<ServiceImpl<typeof ClusterService>["healthCheck"]>;

/** Life of the certificate with which the node asks the other nodes, in ms: longer than a check takes. */
const certificateMs = 30 * 60_000;
const defaultTimeoutMs = 60_000;

/** Checks the whole cluster from this node and reports every step; fails when the time is over. */
export function healthCheck(machine: Dependencies): Handler {
  return async function* ({ waitTimeout, clusterInfo }, { signal }) {
    const config = await requireControlPlane(machine, "health check");
    const limitMs = waitTimeout === undefined ? defaultTimeoutMs : durationMs(waitTimeout);
    const limit = new AbortController();
    const done = new AbortController();
    void machine.clock.sleep(limitMs, done.signal).then(
      () =>
        limit.abort(new OsError({ kind: "deadline-exceeded", message: `not healthy within ${String(limitMs)} ms` })),
      () => undefined,
    );
    const nodes = await clusterNodes(machine, clusterInfo);
    await using connection = await connectAsReader(machine, config);
    using subject = createHealthSubject({
      connection,
      nodes,
      access: () => kubernetesAccess(machine, clusterInfo?.forceEndpoint ?? ""),
    });
    let failure: unknown;
    const lines = createQueue<string>();
    lines.push(`discovered nodes: ${quoted([...nodes.controlPlanes, ...nodes.workers])}`);
    void runChecks(clusterChecks, subject, {
      signal: AbortSignal.any([signal, limit.signal]),
      clock: machine.clock,
      report: (line) => void lines.push(line),
    })
      .then(
        () => lines.close(),
        (err: unknown) => {
          // Lines that are queued are told before the failure.
          failure = err;
          lines.close();
        },
      )
      .finally(() => done.abort());
    for await (const message of lines) yield { message };
    if (failure !== undefined) throw failure;
  };
}

/** The nodes that were asked about, else the members of the cluster. */
async function clusterNodes(machine: Dependencies, info: ClusterInfo | undefined): Promise<ClusterNodes> {
  const { controlPlaneNodes = [], workerNodes = [] } = info ?? {};
  if (controlPlaneNodes.length + workerNodes.length > 0) {
    return { controlPlanes: controlPlaneNodes, workers: workerNodes };
  }
  return nodesFromMembers((await machine.state.list(kindOf(Member))) as readonly Resource<MemberSpec>[]);
}

async function connectAsReader(machine: Dependencies, config: Config): Promise<ApiConnection> {
  const { os } = bundleFromConfig(config.main).certs;
  const now = new Date(machine.clock.now());
  const pair = await issueLeaf("talosconfig", os, { roles: [roles.reader] }, { now, lifetimeMs: certificateMs });
  const material = { ca: os.crt, cert: pair.crt, key: tlsPrivateKey(pair.key) };
  return connectApi({ endpoints: ["127.0.0.1"], tls: { material } });
}

async function kubernetesAccess(machine: Dependencies, endpoint: string): Promise<KubernetesAccess> {
  const secret = await findTyped(machine.state, KubernetesSecret, KubernetesSecret.id);
  if (secret === undefined) {
    throw new OsError({
      kind: "failed-precondition",
      code: "health/no-kubernetes-secrets",
      message: "the node has no certificates for Kubernetes yet",
      next: "talosctl get kubernetessecrets",
    });
  }
  const access = await parseKubeconfig(secret.spec.localhostAdminKubeconfig);
  return endpoint === "" ? access : { ...access, server: endpoint };
}
