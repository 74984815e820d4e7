import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Task } from "../../sequence.ts";

/** State and data of the machine: what a reset is there to forget. */
const volumes = ["/system/state", "/var"] as const;

/** Empties the volumes; their mount points stay. */
export function resetVolumes(machine: { readonly root: string }): Task {
  return async ({ log }) => {
    for (const volume of volumes) {
      const path = `${machine.root}${volume}`;
      for (const entry of await readdir(path).catch(() => [])) {
        await rm(join(path, entry), { recursive: true, force: true, maxRetries: 3 }).catch((err: unknown) =>
          log(`cannot remove ${join(volume, entry)}: ${String(err)}`),
        );
      }
    }
  };
}
