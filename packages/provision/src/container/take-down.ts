import { readdir, rm } from "node:fs/promises";
import type { Progress } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import { sweepCgroup } from "./cgroup-sweep.ts";
import type { ClusterIdentity } from "../cluster-identity.ts";
import { removeLinks } from "../network/cluster-network.ts";
import { endRuntimes } from "./end-runtimes.ts";
import { unmountBelow } from "./image-mount.ts";
import { disableNat } from "../network/nat.ts";
import { createRunc } from "./runc.ts";

/**
 * Removes everything of a cluster that would not outlive a restart of the host: containers, network, mounts. Parts that
 * do not exist are no error. The caller holds the lock.
 */
export async function takeDown(cluster: ClusterIdentity, progress: Progress): Promise<void> {
  const mounts = createLinuxMounts();
  using network = createLinuxNetworks().here;
  await endRuntimes(cluster.runtimeDirectory);
  const runc = createRunc(cluster.runtimeDirectory);
  const entries = await readdir(cluster.runtimeDirectory, { withFileTypes: true }).catch(() => []);
  // The runtime has a folder for each container; files are those of virtual machines.
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
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
}
