import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import { removeCable } from "../network/cluster-network.ts";
import { sweepCgroup } from "./cgroup-sweep.ts";
import { createRunc } from "./runc.ts";
import { startNode } from "./start-node.ts";

/** Kills the container of a node and starts it again with the same volumes. */
export async function restartContainer(plan: ClusterPlan, node: NodePlan): Promise<void> {
  const networks = createLinuxNetworks();
  using here = networks.here;
  const runc = createRunc(plan.runtimeDirectory);
  await runc.remove(node.name);
  await sweepCgroup(createLinuxMounts(), `${plan.cgroup}/${node.name}`);
  await removeCable(here, node);
  await startNode(networks, runc, plan, node);
}
