import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { OsError } from "@talos-ts/base";
import { makeFolder, readOptional, writeDurably } from "@talos-ts/host";
import { parse, stringify } from "yaml";
import type { ClusterPlan } from "./cluster-plan.ts";

/**
 * - `creating`: `create` began; parts may exist.
 * - `ready`: everything of the plan exists.
 * - `destroying`: `destroy` began; parts may be gone.
 */
export type ClusterPhase = "creating" | "ready" | "destroying";

export interface ClusterState {
  readonly version: 1;
  readonly phase: ClusterPhase;
  readonly createdAt: string;
  /** Digest of the image the nodes run. */
  readonly image: string;
  readonly plan: ClusterPlan;
}

const stateFile = "state.yaml";

/** Gives the default folder of clusters. */
export function clustersDirectory(home: string = homedir()): string {
  return join(home, ".talos", "clusters");
}

/** Writes the state so that a reader finds the old one or the new one, never a part; only the owner can read it. */
export async function writeState(state: ClusterState): Promise<void> {
  const { directory } = state.plan;
  await makeFolder(directory, 0o700);
  await writeDurably(join(directory, stateFile), stringify(state), 0o600);
}

/**
 * Reads the state of a cluster; `undefined` when there is none.
 *
 * @throws OsError `provision/bad-state` when the file is not a state this version wrote.
 */
export async function readState(directory: string): Promise<ClusterState | undefined> {
  const path = join(directory, stateFile);
  const kept = await readOptional(path);
  if (kept === undefined) return undefined;
  const state = parseState(kept.toString());
  // A folder that was copied elsewhere must not let `destroy` reach for another cluster's parts.
  if (state !== undefined && state.plan.directory === directory) return state;
  throw new OsError({
    kind: "data-loss",
    code: "provision/bad-state",
    message: `Cannot use the state of a cluster in "${path}": expected version 1, written for this folder`,
    next: `talosctl cluster destroy --name ${basename(directory)}`,
  });
}

/** Names of the clusters under a folder, sorted. */
export async function listClusters(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function parseState(text: string): ClusterState | undefined {
  try {
    const state = parse(text) as Partial<ClusterState> | undefined;
    const whole = state?.version === 1 && state.plan !== undefined && Array.isArray(state.plan.nodes);
    return whole ? (state as ClusterState) : undefined;
  } catch {
    return undefined;
  }
}

/** Folders that clusters take container images from. @param directory Where clusters are kept */
export async function usedImageCaches(directory: string): Promise<readonly string[]> {
  const names = await listClusters(directory);
  const states = await Promise.all(names.map((name) => readState(join(directory, name)).catch(() => undefined)));
  return states.flatMap((state) => (state?.plan.imageCache === undefined ? [] : [state.plan.imageCache]));
}
