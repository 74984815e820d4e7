import { join } from "node:path";
import { systemClock, type Clock } from "@talos-ts/base";
import { type Progress, silent } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import { sweepCgroup } from "./cgroup-sweep.ts";
import { chooseNodes } from "./choose-nodes.ts";
import { lockCluster } from "./cluster-lock.ts";
import { removeCable } from "./cluster-network.ts";
import type { NodePlan } from "./cluster-plan.ts";
import { clustersDirectory, type ClusterState } from "./cluster-state.ts";
import { requireReady } from "./require-state.ts";
import { createRunc, type Runc } from "./runc.ts";
import { takeDown } from "./take-down.ts";

export interface StopOptions {
  readonly name: string;
  /** Names or addresses of the nodes to stop. @default all */
  readonly nodes?: readonly string[];
  /** How long nodes may take to end by themselves before they are killed. @default 60 s */
  readonly graceMs?: number;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface StoppedCluster {
  readonly state: ClusterState;
  /** The nodes that ran before. */
  readonly stopped: readonly NodePlan[];
}

/**
 * Shuts nodes down in order and removes their containers; their volumes stay. With the last node go network and mounts.
 *
 * When the signal aborts, nodes that were told to end still do; another call clears up.
 *
 * @throws OsError `provision/no-cluster`, `provision/unfinished`, `provision/no-node`.
 */
export async function stopCluster(options: StopOptions, progress: Progress = silent): Promise<StoppedCluster> {
  const { signal, clock = systemClock, graceMs = 60_000 } = options;
  const root = options.clustersDirectory ?? clustersDirectory();
  await using _lock = await lockCluster(join(root, options.name));
  const state = await requireReady(root, options.name);
  const { plan } = state;
  const chosen = chooseNodes(plan, options.nodes ?? []);
  const runc = createRunc(plan.runtimeDirectory, signal);
  const until = clock.monotonic() + graceMs;
  const stage = "stop nodes";
  const stopped: NodePlan[] = [];
  await Promise.all(
    chosen.map(async (node) => {
      if (!(await isRunning(runc, node))) return;
      stopped.push(node);
      progress({ stage, state: "start", detail: node.name });
      await runc.terminate(node.name);
      while ((await isRunning(runc, node)) && clock.monotonic() < until) await clock.sleep(pauseMs, signal);
      const late = await isRunning(runc, node);
      progress({ stage, state: "step", detail: late ? `no end of ${node.name} in time, killing it` : node.name });
    }),
  );
  signal?.throwIfAborted();
  await clearAway(state, chosen);
  if (stopped.length > 0) progress({ stage, state: "done" });
  const running = await Promise.all(plan.nodes.map((node) => isRunning(runc, node)));
  if (!running.includes(true)) await takeDown(plan, progress);
  return { state, stopped: chosen.filter((node) => stopped.includes(node)) };
}

const pauseMs = 100;

async function isRunning(runc: Runc, node: NodePlan): Promise<boolean> {
  return (await runc.status(node.name)).status === "running";
}

/** Removes the containers of nodes, whatever state they are in, and what came with them. */
async function clearAway({ plan }: ClusterState, nodes: readonly NodePlan[]): Promise<void> {
  const runc = createRunc(plan.runtimeDirectory);
  const mounts = createLinuxMounts();
  using here = createLinuxNetworks().here;
  for (const node of nodes) {
    await runc.remove(node.name);
    await sweepCgroup(mounts, `${plan.cgroup}/${node.name}`);
    await removeCable(here, node);
  }
}
