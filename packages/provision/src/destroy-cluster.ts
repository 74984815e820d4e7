import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { silent, type Progress } from "@talos-ts/imager";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import { sweepCgroup } from "./cgroup-sweep.ts";
import { lockCluster } from "./cluster-lock.ts";
import { removeLinks } from "./cluster-network.ts";
import { identifyCluster, type ClusterIdentity } from "./cluster-identity.ts";
import { clustersDirectory, listClusters, readState, writeState } from "./cluster-state.ts";
import { unmountBelow } from "./image-mount.ts";
import { disableNat } from "./nat.ts";
import { createRunc } from "./runc.ts";

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
  if (!(await listClusters(root)).includes(options.name)) throw noCluster(options.name, root);
  await using _lock = await lockCluster(directory);
  // Everything is found by the folder's name: neither a lost state nor a full disk keeps a cluster from being removed.
  const state = await readState(directory).catch(() => undefined);
  if (state !== undefined) await writeState({ ...state, phase: "destroying" }).catch(() => {});
  await removeParts(identifyCluster(directory), progress);
}

/** Removes all parts of a cluster; parts that do not exist are no error. The caller holds the lock. */
export async function removeParts(cluster: ClusterIdentity, progress: Progress): Promise<void> {
  const mounts = createLinuxMounts();
  using network = createLinuxNetworks().here;
  await endRuntimes(cluster.runtimeDirectory);
  const runc = createRunc(cluster.runtimeDirectory);
  for (const name of await readdir(cluster.runtimeDirectory).catch((): string[] => [])) {
    progress({ stage: "remove nodes", state: "step", detail: name });
    await runc.remove(name);
  }
  await sweepCgroup(mounts, cluster.cgroup);
  progress({ stage: "remove network", state: "start", detail: cluster.bridge });
  await removeLinks(network, cluster);
  await disableNat(cluster).catch(() => {
    // Without the image there is no program to ask; then the rules were never made, or went with the last boot.
  });
  progress({ stage: "remove network", state: "done" });
  await unmountBelow(mounts, cluster.directory);
  await rm(cluster.runtimeDirectory, { recursive: true, force: true });
  await rm(cluster.directory, { recursive: true, force: true });
  progress({ stage: "remove files", state: "done", detail: cluster.directory });
}

/**
 * Ends container runtimes that still work for the cluster: they outlive a `create` that was killed, and would make a
 * container after its removal.
 */
async function endRuntimes(directory: string): Promise<void> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (words[0] !== "runc" || words[2] !== directory) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

function noCluster(name: string, root: string): OsError {
  return new OsError({
    kind: "not-found",
    code: "provision/no-cluster",
    message: `Looked for cluster "${name}" in "${root}", there is none`,
    next: "talosctl cluster show",
  });
}
