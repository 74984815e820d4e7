import { stat } from "node:fs/promises";
import type { MountInfo, Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

export const mounts =
  (machine: { readonly linux: Linux; readonly root: string }): MachineMethod<"mounts"> =>
  async () => {
    const list = await machine.linux.mounts.list();
    return { messages: [{ stats: await Promise.all(list.map((mount) => describe(machine, mount))) }] };
  };

/** Single files can be mount points too; the size of what is behind them says nothing, so it is left out. */
async function describe(machine: { readonly linux: Linux; readonly root: string }, { source, target }: MountInfo) {
  const names = { filesystem: source, mountedOn: target };
  const isFile = await stat(`${machine.root}${target}`).then(
    (info) => !info.isDirectory(),
    () => false,
  );
  if (isFile) return names;
  // One mount that does not answer must not hide the others.
  const stats = await machine.linux.mounts.statfs(target).catch(() => undefined);
  if (stats === undefined) return names;
  return { ...names, size: stats.blockSize * stats.blocks, available: stats.blockSize * stats.blocksAvailable };
}
