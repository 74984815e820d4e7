import { isKind, OsError, systemClock } from "@talos-ts/base";
import { parseKubeconfig } from "@talos-ts/kubernetes";
import { connectApi, contextTls, type ApiConnection } from "@talos-ts/machinery/client";
import { clusterChecks, createHealthSubject, runChecks } from "@talos-ts/machinery/health";
import { contextCredentials, resolveContext, type TalosConfig } from "@talos-ts/machinery/talosconfig";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { ClusterPlan } from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { parseDuration } from "../../output/go-duration.ts";
import { downloadKubeconfig } from "../../session/download-kubeconfig.ts";
import { flag, textOption } from "../../values.ts";
import { addToKubeconfig } from "./kubeconfig-file.ts";

const pauseMs = 500;

/** Starts etcd on the first control plane, waits until the whole cluster is healthy, and merges its kubeconfig. */
export async function bringUpKubernetes(
  invocation: Invocation,
  plan: ClusterPlan,
  talosconfig: TalosConfig,
): Promise<void> {
  const { io } = invocation;
  const tls = contextTls(contextCredentials(resolveContext(talosconfig, undefined), talosconfig.context));
  const controlPlanes = addressesOf(plan, "controlplane");
  const [first = ""] = controlPlanes;
  await using connection = connectApi({ endpoints: controlPlanes, tls });
  const timeout = AbortSignal.timeout(parseDuration(textOption(invocation, "waitTimeout") ?? "20m"));
  const signal = AbortSignal.any([invocation.signal, timeout]);
  await bootstrap(connection, first, signal);
  await waitForHealth(connection, plan, (line) => io.err(`${line}\n`), signal);
  if (flag(invocation, "skipKubeconfig")) return;
  const path = await addToKubeconfig(await kubeconfigOf(connection, first, signal), io);
  io.err(`\nMerged kubeconfig of cluster "${plan.name}" into ${path}\n`);
}

/** Waits until the cluster of a plan is healthy, telling each check as it passes. */
export async function waitForHealth(
  connection: ApiConnection,
  plan: ClusterPlan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const controlPlanes = addressesOf(plan, "controlplane");
  using subject = createHealthSubject({
    connection,
    nodes: { controlPlanes, workers: addressesOf(plan, "worker") },
    access: async () => parseKubeconfig(await kubeconfigOf(connection, controlPlanes[0] ?? "", signal)),
  });
  await runChecks(clusterChecks, subject, { signal, report });
}

function addressesOf({ nodes }: ClusterPlan, wanted: "controlplane" | "worker"): readonly string[] {
  return nodes.filter(({ type }) => type === wanted).map(({ address }) => address);
}

async function kubeconfigOf(connection: ApiConnection, node: string, signal: AbortSignal): Promise<string> {
  return await downloadKubeconfig({ all: (service) => connection.service(service, { node }) }, signal);
}

/** The node refuses while its services are not up; one that was bootstrapped before is as good. */
async function bootstrap(connection: ApiConnection, node: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await connection.service(MachineService, { node }).bootstrap({}, { signal });
      return;
    } catch (err) {
      if (isKind(err, "already-exists")) return;
      const passing = isKind(err, "failed-precondition") || isKind(err, "unavailable");
      if (!passing || signal.aborted) throw notBootstrapped(node, err);
    }
    await systemClock.sleep(pauseMs, signal);
  }
}

function notBootstrapped(node: string, cause: unknown): OsError {
  const { kind, message } = OsError.from(cause);
  return new OsError({
    kind,
    code: "cluster/not-bootstrapped",
    message: `Cannot start etcd on ${node}: ${message}`,
    next: `talosctl --nodes ${node} service etcd`,
    cause,
  });
}
