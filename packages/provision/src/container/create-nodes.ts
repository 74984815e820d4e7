import { inStage } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import type { ClusterPlan } from "../cluster-plan.ts";
import { bringUpNetwork } from "../network/bring-up-network.ts";
import type { NodeImage, Provisioner, Work } from "../provisioner.ts";
import { readHostFacts } from "./host-facts.ts";
import { mountImage } from "./image-mount.ts";
import { prepareMarker, prepareNode } from "./node-directory.ts";
import { layout } from "./node-layout.ts";
import { createRunc } from "./runc.ts";
import { startNode } from "./start-node.ts";

/** Mounts the image, makes the network, and starts every node of the plan. */
export async function createNodes(
  plan: ClusterPlan,
  image: NodeImage,
  nodeConfig: Parameters<Provisioner["createNodes"]>[2],
  { progress, signal }: Work,
): Promise<void> {
  const networks = createLinuxNetworks();
  using here = networks.here;
  const host = await readHostFacts();
  await inStage(progress, "mount image", () =>
    mountImage(createLinuxMounts(), image, layout.rootfs(plan), progress, signal),
  );
  await bringUpNetwork(here, plan, "create network", progress, signal);
  await prepareMarker(plan);
  const runc = createRunc(plan.runtimeDirectory, signal);
  for (const [index, node] of plan.nodes.entries()) {
    signal?.throwIfAborted();
    const step = { stage: "start nodes", done: index + 1, total: plan.nodes.length };
    progress({ ...step, state: "step", detail: `${node.name} ${node.address}` });
    await prepareNode(plan, node, host, await nodeConfig(node));
    await startNode(networks, runc, plan, node);
  }
  progress({ stage: "start nodes", state: "done" });
}
