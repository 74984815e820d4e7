import type { Networks } from "@talos-ts/linux";
import { attachNode } from "../network/cluster-network.ts";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import { layout } from "./node-layout.ts";
import type { Runc } from "./runc.ts";

/** Starts the container of a node whose folder is prepared; its network is complete before its init runs. */
export async function startNode(networks: Networks, runc: Runc, plan: ClusterPlan, node: NodePlan): Promise<void> {
  const pid = await runc.create(node.name, layout.node(plan, node), layout.log(plan, node));
  await attachNode(networks, plan, node, pid);
  await runc.start(node.name);
}
