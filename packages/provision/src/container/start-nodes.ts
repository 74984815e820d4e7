import { findRootfs } from "@talos-ts/imager";
import { inStage } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks, type Mounts, type Networks } from "@talos-ts/linux";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import { bringUpNetwork } from "../network/bring-up-network.ts";
import { ensureCable, removeCable } from "../network/cluster-network.ts";
import type { StartNodesRequest, Work } from "../provisioner.ts";
import { sweepCgroup } from "./cgroup-sweep.ts";
import { endRuntimes } from "./end-runtimes.ts";
import { readHostFacts, type HostFacts } from "./host-facts.ts";
import { mountImage } from "./image-mount.ts";
import { keptConfig } from "./kept-config.ts";
import { prepareMarker, prepareNode } from "./node-directory.ts";
import { layout } from "./node-layout.ts";
import { createRunc, type Runc } from "./runc.ts";
import { startNode } from "./start-node.ts";

/** Mounts the image and repairs the network if needed, then starts the requested nodes that do not run. */
export async function startNodes(request: StartNodesRequest, work: Work): Promise<readonly NodePlan[]> {
  const { plan } = request;
  const { progress, signal } = work;
  const networks = createLinuxNetworks();
  using here = networks.here;
  const mounts = createLinuxMounts();
  await endRuntimes(plan.runtimeDirectory);
  await ensureImage(mounts, request, work);
  await bringUpNetwork(here, plan, "check network", progress, signal);
  await prepareMarker(plan);
  const runc = createRunc(plan.runtimeDirectory, signal);
  const starter: Starter = { networks, mounts, runc, plan, host: await readHostFacts() };
  const started: NodePlan[] = [];
  for (const [index, node] of plan.nodes.entries()) {
    signal?.throwIfAborted();
    const { status, pid } = await runc.status(node.name);
    if (status === "running") await ensureCable(networks, plan, node, pid);
    if (status === "running" || !request.nodes.includes(node)) continue;
    const step = { stage: "start nodes", done: index + 1, total: plan.nodes.length };
    progress({ ...step, state: "step", detail: `${node.name} ${node.address}` });
    await startAgain(starter, node);
    started.push(node);
  }
  if (started.length > 0) progress({ stage: "start nodes", state: "done" });
  return started;
}

/** Mounts the image the nodes ran with, or a newly built one when that is no longer cached. */
async function ensureImage(mounts: Mounts, request: StartNodesRequest, { progress, signal }: Work): Promise<void> {
  const target = layout.rootfs(request.plan);
  if ((await mounts.list()).some((mount) => mount.target === target)) return;
  const kept = await findRootfs(request.image);
  const stage = "mount image";
  if (kept === undefined) progress({ stage, state: "step", detail: "no longer kept, building it again" });
  const image = kept ?? (await request.buildImage());
  await inStage(progress, stage, () => mountImage(mounts, image, target, progress, signal));
  if (image.digest !== request.image) await request.onNewImage(image.digest);
}

interface Starter {
  readonly networks: Networks;
  readonly mounts: Mounts;
  readonly runc: Runc;
  readonly plan: ClusterPlan;
  readonly host: HostFacts;
}

/** Removes what the last run of a node left, and starts it with what the host offers today. */
async function startAgain({ networks, mounts, runc, plan, host }: Starter, node: NodePlan): Promise<void> {
  await runc.remove(node.name);
  await sweepCgroup(mounts, `${plan.cgroup}/${node.name}`);
  await removeCable(networks.here, node);
  await prepareNode(plan, node, host, await keptConfig(plan, node));
  try {
    await startNode(networks, runc, plan, node);
  } catch (err) {
    // Half a container is worth nothing; this must not stop at the signal that stopped the start.
    await createRunc(plan.runtimeDirectory).remove(node.name);
    throw err;
  }
}
