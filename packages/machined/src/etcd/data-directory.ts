import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { paths } from "@talos-ts/machinery/constants";
import type { EtcdAccess } from "./dependencies.ts";

/** Says whether etcd has never run here; a directory that does not exist yet counts as empty. */
export async function isDataDirectoryEmpty(machine: EtcdAccess): Promise<boolean> {
  return (await entries(machine)).length === 0;
}

/** Removes everything in the data directory. The directory itself may be a mount point, so it stays. */
export async function clearDataDirectory(machine: EtcdAccess): Promise<void> {
  for (const name of await entries(machine)) {
    await rm(join(machine.root, paths.etcdData, name), { recursive: true, force: true });
  }
}

async function entries({ root }: EtcdAccess): Promise<readonly string[]> {
  try {
    return await readdir(join(root, paths.etcdData));
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw err;
  }
}
