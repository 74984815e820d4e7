import { readFile } from "node:fs/promises";
import { exists } from "@talos-ts/host";
import { createLinuxNetworks } from "@talos-ts/linux";
import type { ClusterPlan } from "../cluster-plan.ts";
import { visibleNetwork } from "../network/visible-network.ts";
import {
  checkImageCache,
  checkPrograms,
  checkSpace,
  checkSubnet,
  checkUser,
  findMissing,
  type Check,
  type Missing,
} from "../requirements.ts";

const namespaces = ["cgroup", "ipc", "mnt", "net", "pid", "uts"] as const;

const startChecks: readonly Check[] = [
  checkUser,
  checkPrograms({ mount: "mount", runc: "runc" }),
  checkKernel,
  checkSubnet,
  checkImageCache,
];

/** Checks by what they are for: a cluster that is started again has its space already. */
export const containerChecks = { start: startChecks, create: [...startChecks, checkSpace] } as const;

/** Lists what this host lacks to run the nodes of a plan in containers. */
export async function findContainerRequirements(
  plan: ClusterPlan,
  purpose: keyof typeof containerChecks,
): Promise<Missing[]> {
  using here = createLinuxNetworks().here;
  const network = purpose === "create" ? here : await visibleNetwork(here, plan);
  // Awaited here: the socket is open only inside this function.
  return await findMissing({ plan, network }, containerChecks[purpose]);
}

/** Checks that the kernel has what a container of a node needs. */
async function checkKernel(): Promise<Missing[]> {
  const missing: Missing[] = [];
  for (const name of namespaces) {
    if (!(await exists(`/proc/self/ns/${name}`))) {
      missing.push({ what: `${name} namespaces`, fix: "use a kernel that has them" });
    }
  }
  const filesystems = await readFile("/proc/filesystems", "utf8");
  if (!/\b(?:overlay)$/m.test(filesystems)) missing.push({ what: "overlay file system", fix: "modprobe overlay" });
  if (!/ cgroup2? /.test(await readFile("/proc/self/mounts", "utf8"))) {
    missing.push({ what: "control groups", fix: "mount -t cgroup2 cgroup2 /sys/fs/cgroup" });
  }
  if (!(await exists("/dev/kmsg"))) missing.push({ what: "/dev/kmsg", fix: "mknod /dev/kmsg c 1 11" });
  return missing;
}
