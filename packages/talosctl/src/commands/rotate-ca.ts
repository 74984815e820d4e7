import { systemClock } from "@talos-ts/base";
import { parseKubeconfig, type KubernetesAccess } from "@talos-ts/kubernetes";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { createHealthSubject, quoted, rollingChecks, runChecks } from "@talos-ts/machinery/health";
import { KubernetesRootSecret, OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import type { CommandDefinition, Invocation } from "../command.ts";
import { runOperation } from "../operation/run-operation.ts";
import { sameCommand } from "../operation/same-command.ts";
import type { Step } from "../operation/step.ts";
import { kubernetesSteps } from "../rotate-ca/rotate-kubernetes.ts";
import { talosSteps } from "../rotate-ca/rotate-talos.ts";
import { beginRotation } from "../rotate-ca/begin-rotation.ts";
import { openTarget, type TalosconfigTarget } from "../rotate-ca/talosconfig-target.ts";
import { rotationFile, type RotationFile } from "../rotate-ca/rotation-file.ts";
import type { Rotation } from "../rotate-ca/rotation.ts";
import { changeOptions, configEncoder } from "../session/change-config.ts";
import { clusterNodeOptions, clusterNodes, givenNodes } from "../session/cluster-nodes.ts";
import { downloadKubeconfig } from "../session/download-kubeconfig.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description:
    "Replaces the authorities (CAs) of the Talos API and of Kubernetes: the new one is accepted by all nodes, then issues, then the old one is removed; all nodes must answer after each step. Changes nothing unless --dry-run=false is given. The context of the talosconfig gets credentials that are valid in every state in between. After Ctrl-C or a failure, run the same command again: it goes on with the same authorities.",
  options: [
    { flags: "--dry-run", description: "change nothing, show what would be done", default: true },
    { flags: "--talos", description: "rotate the CA of the Talos API", default: true },
    { flags: "--kubernetes", description: "rotate the CA of the Kubernetes API", default: true },
    { flags: "-o, --output <path>", description: "talosconfig to write (default: the one in use)" },
    { flags: "--k8s-endpoint <url>", description: "API server to ask instead of the cluster endpoint" },
    ...clusterNodeOptions,
    ...changeOptions,
  ],
  examples: ["talosctl rotate-ca", "talosctl rotate-ca --dry-run=false --kubernetes=false"],
  async run(invocation) {
    await using session = await openSession(invocation, { renew: false });
    checkOneNode(session, "rotate-ca");
    const { io } = invocation;
    const stop = new AbortController();
    const signal = AbortSignal.any([invocation.signal, stop.signal]);
    const log = (line: string): void => io.err(`${line}\n`);
    const dryRun = flag(invocation, "dryRun");
    const nodes = await clusterNodes(session, givenNodes(invocation));
    const rotation: Rotation = {
      nodes,
      dryRun,
      encode: configEncoder(invocation),
      log,
      clock: systemClock,
      signal,
      stop,
    };
    const target = await openTarget(invocation, textOption(invocation, "output"));
    const begun = rotationFile(`${target.path}.rotate-ca`);
    const talos = flag(invocation, "talos");
    if (talos) await rotateTalos(invocation, session, rotation, target, begun);
    if (!flag(invocation, "kubernetes")) return;
    // The talosconfig has other credentials now.
    const global = talos && !dryRun ? { ...invocation.global, talosconfig: target.path } : invocation.global;
    await using renewed = await openSession({ ...invocation, global }, { renew: false });
    await rotateKubernetes(invocation, renewed, rotation, begun);
  },
};

async function rotateTalos(
  invocation: Invocation,
  session: Session,
  rotation: Rotation,
  { context, save }: TalosconfigTarget,
  begun: RotationFile,
): Promise<void> {
  const { dryRun, log, nodes } = rotation;
  const { connection } = session;
  log(`> Starting Talos API PKI rotation, dry-run mode ${String(dryRun)}...`);
  log(`> Using config context: ${JSON.stringify(context)}`);
  log(`> Using Talos API endpoints: ${quoted(connection.endpoints)}`);
  topology(rotation);
  const resources = openResources(connection, nodes.controlPlanes[0], [OSRootSecret]);
  const { issuingCA } = (await resources.get(OSRootSecret, OSRootSecret.id)).spec;
  const present = issuingCA?.crt ?? "";
  const authorities = await beginRotation({ what: "talos", title: "Talos", root: "os", present }, rotation, begun);
  const { cluster } = invocation.global;
  await using work = await talosSteps({
    ...rotation,
    ...authorities,
    connection,
    save,
    ...(cluster !== undefined && { cluster }),
  });
  const [first] = nodes.controlPlanes;
  await runAll(invocation, "Talos", work.steps, rotation, () => (work.saved() ? work.between : connection), first);
  if (dryRun) log(dryRunNote);
  else await begun.write("talos", undefined);
}

async function rotateKubernetes(
  invocation: Invocation,
  session: Session,
  rotation: Rotation,
  begun: RotationFile,
): Promise<void> {
  const { dryRun, log, nodes, signal } = rotation;
  const { connection } = session;
  log(`> Starting Kubernetes API PKI rotation, dry-run mode ${String(dryRun)}...`);
  topology(rotation);
  log("> Building current Kubernetes client...");
  const access = (): Promise<KubernetesAccess> => accessOf(invocation, connection, nodes.controlPlanes[0] ?? "");
  await access();
  const resources = openResources(connection, nodes.controlPlanes[0], [KubernetesRootSecret]);
  const { issuingCA } = (await resources.get(KubernetesRootSecret, KubernetesRootSecret.id)).spec;
  const present = issuingCA?.crt ?? "";
  const kind = { what: "kubernetes", title: "Kubernetes", root: "k8s", present } as const;
  const authorities = await beginRotation(kind, rotation, begun);
  const healthy = async (): Promise<void> => {
    // With a kubeconfig of its own each time: the authority changes in between.
    using subject = createHealthSubject({ connection, nodes, access });
    await runChecks(rollingChecks, subject, { signal, report: () => undefined });
  };
  const steps = kubernetesSteps({ ...rotation, ...authorities, connection: () => connection, access, healthy });
  await runAll(invocation, "Kubernetes", steps, rotation, () => connection, nodes.controlPlanes[0]);
  if (dryRun) {
    log(dryRunNote);
    return;
  }
  await begun.write("kubernetes", undefined);
  log("> Kubernetes CA rotation done, new 'kubeconfig' can be fetched with `talosctl kubeconfig`.");
}

const dryRunNote =
  "> Dry-run mode enabled, no changes were made to the cluster, re-run with `--dry-run=false` to apply the changes.";

function topology({ nodes, log }: Rotation): void {
  log("> Cluster topology:");
  log(`  - control plane nodes: ${quoted(nodes.controlPlanes)}`);
  log(`  - worker nodes: ${quoted(nodes.workers)}`);
}

/** Time for each step on the average; single waits have shorter ones. */
const stepMs = 20 * 60_000;

async function runAll(
  invocation: Invocation,
  title: string,
  steps: readonly Step[],
  { signal, stop, dryRun, log }: Rotation,
  connection: () => ApiConnection,
  node: string | undefined,
): Promise<void> {
  if (dryRun) for (const step of steps) await step.run();
  else {
    const command = sameCommand(invocation);
    const plan = { kind: "rotate-ca", title, steps, timeoutMs: steps.length * stepMs, command, resumes: true };
    await runOperation(plan, { connection, node, signal, stop, tell: (line) => log(`> ${line}`) });
  }
}

async function accessOf(invocation: Invocation, connection: ApiConnection, node: string): Promise<KubernetesAccess> {
  const from = { all: (service) => connection.service(service, { node }) } satisfies Pick<Session, "all">;
  const found = await parseKubeconfig(await downloadKubeconfig(from, invocation.signal));
  const server = textOption(invocation, "k8sEndpoint");
  return server === undefined ? found : { ...found, server };
}
