import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MountInfo } from "@talos-ts/linux";

/** Folders in which a container keeps what a machine keeps in memory. */
const places = ["/run", "/system", "/tmp"] as const;

/** Stays whether or not it is mounted. */
const state = "/system/state";

/** Removes everything below the places that are in memory, except for the state of the machine and what is mounted there. */
export async function emptyMemory(mounts: readonly Pick<MountInfo, "target" | "type">[], root = ""): Promise<void> {
  const inMemory = new Set(mounts.filter(({ type }) => type === "tmpfs").map(({ target }) => target));
  const targets = [state, ...mounts.map(({ target }) => target)];
  const empty = async (folder: string): Promise<void> => {
    for (const entry of await readdir(`${root}${folder}`)) {
      const path = join(folder, entry);
      if (targets.includes(path)) continue;
      if (targets.some((target) => target.startsWith(`${path}/`))) await empty(path);
      else await rm(`${root}${path}`, { recursive: true, force: true });
    }
  };
  for (const place of places) if (inMemory.has(place)) await empty(place);
}
