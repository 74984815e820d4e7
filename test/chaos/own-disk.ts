import { rename } from "node:fs/promises";
import { join } from "node:path";
import { runTool } from "@talos-ts/host";
import { createLinuxMounts } from "@talos-ts/linux";
import { layout, type NodePlan } from "@talos-ts/provision";
import type { ChaosCluster } from "./chaos-cluster.ts";
import { powerOff } from "./power.ts";

/** Enough for the images, logs and data of a control plane. The file is sparse. */
const size = "3G";

/** Folder of the host that a node has as its `/var`. */
export function varOf(cluster: ChaosCluster, node: NodePlan): string {
  return layout.volume(cluster.plan, node, "var");
}

/**
 * Moves the `/var` of a node to a disk of its own, a file with ext4 on it, and restarts the node: it shares the disk of this host
 * otherwise, and filling that would harm others. `cluster destroy` unmounts and removes it.
 */
export async function giveOwnDisk(cluster: ChaosCluster, node: NodePlan): Promise<void> {
  const folder = varOf(cluster, node);
  if ((await createLinuxMounts().list()).some(({ target }) => target === folder)) return;
  const image = join(cluster.plan.directory, `${node.name}.img`);
  const shared = `${folder}.shared`;
  await powerOff(cluster, node);
  await runTool("truncate", ["--size", size, image]);
  await runTool("mkfs.ext4", ["-q", "-m", "0", image]);
  await rename(folder, shared);
  await runTool("mkdir", ["--mode", "755", folder]);
  await runTool("mount", ["-o", "loop", image, folder]);
  await runTool("cp", ["--archive", `${shared}/.`, folder]);
  await runTool("rm", ["-r", shared]);
  await cluster.powerOn([node]);
}
