import { isRecord } from "@talos-ts/base";
import { refOf, type KubernetesObject } from "@talos-ts/kubernetes";
import type { RolloutOptions } from "./sync-manifests.ts";
import { waitUntil } from "./wait-until.ts";

type Numbers = (name: string) => number;

/** Returns what a workload still lacks, by its status and spec. */
const rollouts: Readonly<Record<string, (status: Numbers, spec: Numbers) => string | undefined>> = {
  DaemonSet(status) {
    const wanted = status("desiredNumberScheduled");
    const [updated, available] = [status("updatedNumberScheduled"), status("numberAvailable")];
    return updated >= wanted && available >= wanted ? undefined : progress(updated, available, wanted);
  },
  Deployment(status, spec) {
    const wanted = spec("replicas");
    const [updated, available] = [status("updatedReplicas"), status("availableReplicas")];
    return updated >= wanted && available >= wanted && status("replicas") <= wanted
      ? undefined
      : progress(updated, available, wanted);
  },
};

function progress(updated: number, available: number, wanted: number): string {
  return `${String(updated)} of ${String(wanted)} pods are updated, ${String(available)} available`;
}

/** Returns what a workload lacks until all its pods are replaced; `undefined` when nothing does, or it has no pods. */
export function rolloutProblem(object: KubernetesObject): string | undefined {
  const missing = rollouts[object.kind ?? ""];
  if (missing === undefined) return undefined;
  const numbers =
    (part: unknown): Numbers =>
    (name) =>
      isRecord(part) && typeof part[name] === "number" ? part[name] : 0;
  const status = numbers(object["status"]);
  const generation = object.metadata["generation"];
  if (typeof generation === "number" && status("observedGeneration") < generation)
    return "not seen by its controller yet";
  return missing(status, numbers(object["spec"]));
}

/** Waits until the pods of a workload are replaced. */
export async function waitForRollout(options: RolloutOptions, object: KubernetesObject): Promise<void> {
  const { client, clock, signal, log, reconcileMs } = options;
  const { kind = "", metadata } = object;
  if (reconcileMs === 0 || rollouts[kind] === undefined) return;
  const title = `${kind} ${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
  log(` > waiting for ${title}`);
  const look = async (limit: AbortSignal): Promise<string | undefined> =>
    rolloutProblem({ ...(await client.get(refOf(object), { signal: limit })), kind });
  await waitUntil(look, {
    clock,
    signal,
    timeoutMs: reconcileMs,
    what: title,
    tell: (reason) => log(` > ${title}: ${reason}`),
    next: `kubectl --namespace ${metadata.namespace ?? ""} describe ${kind.toLowerCase()} ${metadata.name ?? ""}`,
  });
  log(` < ${title}: successfully updated`);
}
