import { setTimeout } from "node:timers/promises";
import { createKubernetesClient, follow, kinds, parseKubeconfig } from "@talos-ts/kubernetes";
import type { KubernetesClient, NodeObject, PodObject } from "@talos-ts/kubernetes";
import type { BenchClient } from "./client.ts";

/** Steps of a cluster that comes up and that are seen from outside, in the order in which they happen. */
const milestoneNames = ["api server answers", "nodes registered", "network of pods", "nodes ready"] as const;
export type MilestoneName = (typeof milestoneNames)[number];

/** Times at which each was reached, in ms of `performance.now()`. */
export type Milestones = ReadonlyMap<MilestoneName, number>;

const pollMs = 100;

type Conditions = readonly { readonly type: string; readonly status: string }[];
const isReady = ({ status }: { readonly status?: { readonly conditions?: Conditions } }): boolean =>
  status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") === true;

/** Watches a cluster that is being created until all nodes are ready. */
export async function watchMilestones(
  client: BenchClient,
  controlPlane: string,
  nodes: number,
  signal: AbortSignal,
): Promise<{ readonly milestones: Milestones; readonly kubernetes: KubernetesClient }> {
  const access = await parseKubeconfig(await kubeconfig(client, controlPlane, signal));
  const kubernetes = createKubernetesClient({ access, timeoutMs: 2000, userAgent: "bench" });
  const milestones = new Map<MilestoneName, number>();
  const reach = (name: MilestoneName): void => {
    if (!milestones.has(name)) milestones.set(name, performance.now());
  };
  while (!(await kubernetes.text("/readyz", { signal }).then(Boolean, () => false))) {
    await setTimeout(pollMs, undefined, { signal });
  }
  reach("api server answers");

  const done = new AbortController();
  const watching = { signal: AbortSignal.any([signal, done.signal]), backoff: { initialMs: pollMs, maxMs: pollMs } };
  await Promise.all([
    follow<NodeObject>(kubernetes, kinds.node, {
      ...watching,
      onChange(objects) {
        if (objects.size >= nodes) reach("nodes registered");
        if (objects.size >= nodes && [...objects.values()].every(isReady)) reach("nodes ready");
        if (milestones.size === milestoneNames.length) done.abort();
      },
    }),
    follow<PodObject>(kubernetes, kinds.pod, {
      ...watching,
      namespace: "kube-system",
      labelSelector: "k8s-app=flannel",
      onChange(objects) {
        if (objects.size >= nodes && [...objects.values()].every(isReady)) reach("network of pods");
        if (milestones.size === milestoneNames.length) done.abort();
      },
    }),
  ]);
  signal.throwIfAborted();
  return { milestones, kubernetes };
}

/** The node issues a kubeconfig as soon as its API answers, before there is a Kubernetes. */
async function kubeconfig(client: BenchClient, node: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await client.run("--nodes", node, "kubeconfig", "--merge=false", "-");
    } catch {
      await setTimeout(pollMs, undefined, { signal });
    }
  }
}
