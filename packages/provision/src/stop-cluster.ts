import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, type Clock } from "@talos-ts/base";
import { silent, type Progress } from "@talos-ts/host";
import { chooseNodes } from "./choose-nodes.ts";
import { lockCluster } from "./cluster-lock.ts";
import type { ClusterPlan, NodePlan } from "./cluster-plan.ts";
import { clustersDirectory, type ClusterState } from "./cluster-state.ts";
import { endHostProcesses } from "./host-process.ts";
import { provisionerOf } from "./provisioners.ts";
import { requireReady } from "./require-state.ts";

export interface StopOptions {
  readonly name: string;
  /** Names or addresses of the nodes to stop. @default all */
  readonly nodes?: readonly string[];
  /** Time nodes have to shut down before they are killed, in ms. @default {60_000} */
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
  const nodes = chooseNodes(plan, options.nodes ?? []);
  const stopping = { progress, clock, graceMs, ...(signal !== undefined && { signal }) };
  const stopped = await provisionerOf(plan).stopNodes(plan, nodes, stopping);
  // Nodes that still run need them; they go with the network.
  if (!(await anyRuns(plan))) {
    await endHostProcesses(plan.directory);
    // The supervisor may have asked the runtime for a node at the very moment when the last one went.
    await rm(plan.runtimeDirectory, { recursive: true, force: true });
  }
  return { state, stopped };
}

async function anyRuns(plan: ClusterPlan): Promise<boolean> {
  const statuses = await Promise.all(plan.nodes.map((node) => provisionerOf(plan).nodeStatus(plan, node)));
  return statuses.some(({ pid }) => pid !== 0);
}
