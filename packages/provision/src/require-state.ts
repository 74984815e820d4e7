import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { readState, type ClusterState } from "./cluster-state.ts";

/** @throws OsError `provision/no-cluster` when there is none of that name. */
export async function requireState(root: string, name: string): Promise<ClusterState> {
  const state = await readState(join(root, name));
  if (state !== undefined) return state;
  throw noCluster(name, root, `talosctl cluster create --name ${name}`);
}

export function noCluster(name: string, root: string, next: string): OsError {
  return new OsError({
    kind: "not-found",
    code: "provision/no-cluster",
    message: `Cannot find cluster "${name}" in "${root}"`,
    next,
  });
}

/**
 * The state of a cluster that was wholly made.
 *
 * @throws OsError `provision/unfinished` when its creation or its removal was cut off, `provision/no-cluster`.
 */
export async function requireReady(root: string, name: string): Promise<ClusterState> {
  const state = await requireState(root, name);
  if (state.phase === "ready") return state;
  const work = state.phase === "creating" ? "creation" : "removal";
  throw new OsError({
    kind: "failed-precondition",
    code: "provision/unfinished",
    message: `Cannot use cluster "${name}": its ${work} was interrupted`,
    next: `talosctl cluster destroy --name ${name}`,
  });
}
