import { isKind, isRecord } from "@talos-ts/base";
import { createKubernetesClient, kinds, type KubernetesClient, type KubernetesObject } from "@talos-ts/kubernetes";
import { waitForRollout } from "../upgrade-k8s/rollout.ts";
import { waitUntil } from "../upgrade-k8s/wait-until.ts";
import type { KubernetesRotation } from "./rotate-kubernetes.ts";

const namespace = "kube-system";
const timeoutMs = 5 * 60_000;

/** Workloads of the built-in manifests that use the API. */
const workloads = [
  { ...kinds.daemonSet, name: "kube-proxy" },
  { ...kinds.daemonSet, name: "kube-flannel" },
  { ...kinds.deployment, name: "coredns" },
] as const;

/** Annotation of a pod template with the authority that its pods were started with. */
const annotation = "talos.dev/kubernetes-ca";

/**
 * Replaces the pods of the built-in workloads: programs read the authority of the API when they start, from a ConfigMap that the
 * controller manager keeps. Workloads that were restarted for this authority are left alone.
 */
export async function restartWorkloads(rotation: KubernetesRotation, successor: string): Promise<void> {
  const { log, signal, clock } = rotation;
  using client = createKubernetesClient({ access: await rotation.access() });
  const last = (pem: string): string => pem.trim().split("\n").at(-2) ?? "";
  const published = async (limit: AbortSignal): Promise<string | undefined> => {
    const map = await client.get({ ...kinds.configMap, name: "kube-root-ca.crt", namespace }, { signal: limit });
    const data = map["data"];
    const text = isRecord(data) && typeof data["ca.crt"] === "string" ? data["ca.crt"] : "";
    return text.includes(last(successor)) ? undefined : "the new CA is not published yet";
  };
  const tell = (reason: string): void => log(`  - ${reason}`);
  const next = `kubectl --namespace ${namespace} get configmap kube-root-ca.crt -o yaml`;
  await waitUntil(published, { clock, signal, timeoutMs, what: "the ConfigMap kube-root-ca.crt", tell, next });
  const mark = last(successor).slice(0, 63);
  for (const workload of workloads) {
    const ref = { ...workload, namespace };
    const before = await find(client, ref, signal);
    if (before === undefined) continue;
    const patch = { spec: { template: { metadata: { annotations: { [annotation]: mark } } } } };
    const object = await client.patch<KubernetesObject>(ref, patch, { type: "merge", signal });
    await waitForRollout(
      { client, clock, signal, log, dryRun: false, reconcileMs: timeoutMs },
      { ...object, kind: workload.kind },
    );
  }
}

async function find(
  client: KubernetesClient,
  ref: Parameters<KubernetesClient["get"]>[0],
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  try {
    return await client.get(ref, { signal });
  } catch (err) {
    if (isKind(err, "not-found")) return undefined;
    throw err;
  }
}
