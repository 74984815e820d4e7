import { readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Mounts } from "@talos-ts/linux";

/**
 * Ends every process in a control group and below it, and removes the groups, in each hierarchy the host has.
 *
 * Containers remove their own group; nodes make groups inside theirs, and an interrupted start may leave processes.
 */
export async function sweepCgroup(mounts: Mounts, cgroup: string): Promise<void> {
  const hierarchies = (await mounts.list()).filter(({ type }) => type === "cgroup" || type === "cgroup2");
  for (const { target } of hierarchies) {
    const folders = await groupsBelow(join(target, cgroup));
    for (const folder of folders) await killAll(folder);
    for (const folder of folders) await removeGroup(folder);
  }
}

/** A group and all below it, innermost first. */
async function groupsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [];
  const below: string[] = [];
  for (const entry of entries) if (entry.isDirectory()) below.push(...(await groupsBelow(join(folder, entry.name))));
  return [...below, folder];
}

async function killAll(folder: string): Promise<void> {
  const text = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  for (const pid of text.split("\n").filter((line) => /^[1-9]\d*$/.test(line))) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

/** A group stays busy until the kernel has reaped its processes, which is a matter of milliseconds. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await rmdir(folder);
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      if (code !== "EBUSY" || attempt >= 100) throw err;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
