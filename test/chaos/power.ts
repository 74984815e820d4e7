import type { NodePlan } from "@talos-ts/provision";
import type { ChaosCluster } from "./chaos-cluster.ts";

/** Kills the first process of nodes, and the kernel what else is in their namespaces. The supervisor of the cluster starts them again. */
export async function killInit(cluster: ChaosCluster, nodes: readonly NodePlan[]): Promise<void> {
  const running = (await Promise.all(nodes.map((node) => cluster.init(node)))).filter((pid) => pid > 0);
  for (const pid of running) process.kill(pid, "SIGKILL");
}

/** Ends a node at once, and keeps it off: without its container the supervisor takes it for one that was stopped. */
export async function powerOff(cluster: ChaosCluster, node: NodePlan): Promise<void> {
  await killInit(cluster, [node]);
  await cluster.removeContainer(node);
  if ((await cluster.init(node)) !== 0) throw new Error(`${node.name} still runs after its power was cut`);
}
