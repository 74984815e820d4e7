import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinuxMounts } from "@talos-ts/linux";
import type { ClusterPlan } from "@talos-ts/provision";

/** Seconds of CPU time that all processes of a cluster have used, also those that have ended. */
export async function clusterCpuSeconds(plan: ClusterPlan): Promise<number> {
  const mounts = await createLinuxMounts().list();
  for (const { target, type } of mounts.filter((mount) => mount.type.startsWith("cgroup"))) {
    const file = type === "cgroup2" ? "cpu.stat" : "cpuacct.usage";
    const text = await readFile(join(target, plan.cgroup, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    // Version 2 counts microseconds in a line of several, version 1 nanoseconds.
    return type === "cgroup2" ? Number(/^usage_usec (\d+)$/m.exec(text)?.[1]) / 1e6 : Number(text) / 1e9;
  }
  return Number.NaN;
}
