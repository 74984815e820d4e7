import { join } from "node:path";
import { findRootfs, type Rootfs } from "@talos-ts/imager";
import { inStage, type Progress, silent } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks, type Mounts, type Network, type Networks } from "@talos-ts/linux";
import { bringUpNetwork } from "./bring-up-network.ts";
import { sweepCgroup } from "./cgroup-sweep.ts";
import { chooseNodes } from "./choose-nodes.ts";
import { lockCluster } from "./cluster-lock.ts";
import { ensureCable, removeCable } from "./cluster-network.ts";
import type { ClusterPlan, NodePlan } from "./cluster-plan.ts";
import { clustersDirectory, writeState, type ClusterState } from "./cluster-state.ts";
import { endRuntimes } from "./end-runtimes.ts";
import { readHostFacts, type HostFacts } from "./host-facts.ts";
import { mountImage } from "./image-mount.ts";
import { keptConfig } from "./kept-config.ts";
import { prepareMarker, prepareNode } from "./node-directory.ts";
import { layout } from "./node-layout.ts";
import { findMissing, requirementsError, startChecks } from "./requirements.ts";
import { requireReady } from "./require-state.ts";
import { createRunc, type Runc } from "./runc.ts";
import { startNode } from "./start-node.ts";

export interface StartOptions {
  readonly name: string;
  /** Names or addresses of the nodes to start. @default all */
  readonly nodes?: readonly string[];
  /** Builds an image; asked only when the one the cluster was made with is no longer kept. */
  readonly image: () => Promise<Pick<Rootfs, "squashfs" | "digest">>;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
  readonly signal?: AbortSignal;
}

export interface StartedCluster {
  readonly state: ClusterState;
  /** The nodes that did not run before. */
  readonly started: readonly NodePlan[];
}

/**
 * Brings back what a cluster lacks, be it after `stopCluster`, after a restart of the host or because a part was taken
 * away: mounts, network, cables, and the nodes with their volumes, addresses and identities. Nodes that run go on.
 *
 * Resolves as soon as the nodes run. When the signal aborts, nodes that were started stay; another call goes on.
 *
 * @throws OsError `provision/no-cluster`, `provision/unfinished`, `provision/no-node`, `provision/requirements`.
 */
export async function startCluster(options: StartOptions, progress: Progress = silent): Promise<StartedCluster> {
  const { signal } = options;
  const root = options.clustersDirectory ?? clustersDirectory();
  await using _lock = await lockCluster(join(root, options.name));
  const state = await requireReady(root, options.name);
  const { plan } = state;
  const chosen = new Set(chooseNodes(plan, options.nodes ?? []));
  const networks = createLinuxNetworks();
  using here = networks.here;
  const mounts = createLinuxMounts();
  const missing = await findMissing({ plan, network: await withoutBridge(here, plan) }, startChecks);
  if (missing.length > 0) throw requirementsError(missing);

  await endRuntimes(plan.runtimeDirectory);
  const current = await ensureImage(mounts, state, options, progress);
  await bringUpNetwork(here, plan, "check network", progress, signal);
  await prepareMarker(plan);
  const runc = createRunc(plan.runtimeDirectory, signal);
  const starter: Starter = { networks, mounts, runc, plan, host: await readHostFacts() };
  const started: NodePlan[] = [];
  for (const [index, node] of plan.nodes.entries()) {
    signal?.throwIfAborted();
    const { status, pid } = await runc.status(node.name);
    if (status === "running") await ensureCable(networks, plan, node, pid);
    if (status === "running" || !chosen.has(node)) continue;
    const step = { stage: "start nodes", done: index + 1, total: plan.nodes.length };
    progress({ ...step, state: "step", detail: `${node.name} ${node.address}` });
    await startAgain(starter, node);
    started.push(node);
  }
  if (started.length > 0) progress({ stage: "start nodes", state: "done" });
  return { state: current, started };
}

/** The host's network as if the cluster's own bridge were not there: it takes no addresses from itself. */
async function withoutBridge(here: Network, plan: ClusterPlan): Promise<Pick<Network, "addresses" | "link">> {
  const bridge = await here.link(plan.bridge);
  return {
    addresses: async () => (await here.addresses()).filter(({ linkIndex }) => linkIndex !== bridge?.index),
    link: (which) => here.link(which),
  };
}

/** Mounts the image the nodes ran with; when it is no longer kept, one that is built now takes its place. */
async function ensureImage(
  mounts: Mounts,
  state: ClusterState,
  options: StartOptions,
  progress: Progress,
): Promise<ClusterState> {
  const { signal } = options;
  const target = layout.rootfs(state.plan);
  if ((await mounts.list()).some((mount) => mount.target === target)) return state;
  const kept = await findRootfs(state.image);
  const stage = "mount image";
  if (kept === undefined) progress({ stage, state: "step", detail: "no longer kept, building it again" });
  const image = kept ?? (await options.image());
  await inStage(progress, stage, () => mountImage(mounts, image, target, progress, signal));
  if (image.digest === state.image) return state;
  const renewed = { ...state, image: image.digest };
  await writeState(renewed);
  return renewed;
}

interface Starter {
  readonly networks: Networks;
  readonly mounts: Mounts;
  readonly runc: Runc;
  readonly plan: ClusterPlan;
  readonly host: HostFacts;
}

/** Clears away what the last run of a node left, and starts it with what the host offers today. */
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
