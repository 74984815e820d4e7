import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Progress, silent } from "@talos-ts/host";
import { identifyCluster, type ClusterIdentity } from "./cluster-identity.ts";
import { lockCluster } from "./cluster-lock.ts";
import { clustersDirectory, listClusters, readState, writeState } from "./cluster-state.ts";
import { endHostProcesses } from "./host-process.ts";
import { provisioners } from "./provisioners.ts";
import { noCluster } from "./require-state.ts";

export interface DestroyOptions {
  readonly name: string;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
}

/**
 * Removes a cluster and everything that was made for it, whatever became of it: half created, half destroyed, or
 * interrupted by a restart of the host.
 *
 * @throws OsError `provision/no-cluster` when there is none of that name.
 */
export async function destroyCluster(options: DestroyOptions, progress: Progress = silent): Promise<void> {
  const root = options.clustersDirectory ?? clustersDirectory();
  const directory = join(root, options.name);
  if (!(await listClusters(root)).includes(options.name)) throw noCluster(options.name, root, "talosctl cluster show");
  await using _lock = await lockCluster(directory);
  // Everything is found by the folder's name: neither a lost state nor a full disk keeps a cluster from being removed.
  const state = await readState(directory).catch(() => undefined);
  if (state !== undefined) await writeState({ ...state, phase: "destroying" }).catch(() => {});
  await removeParts(identifyCluster(directory), progress);
}

/** Removes all parts of a cluster; parts that do not exist are no error. The caller holds the lock. */
export async function removeParts(cluster: ClusterIdentity, progress: Progress): Promise<void> {
  // The state may be lost, and with it which provisioner made the parts; removing parts that do not exist is no error.
  await endHostProcesses(cluster.directory);
  for (const provisioner of Object.values(provisioners)) await provisioner.takeDown(cluster, progress);
  await rm(cluster.directory, { recursive: true, force: true });
  progress({ stage: "remove files", state: "done", detail: cluster.directory });
}
