import { stat } from "node:fs/promises";
import type { MountInfo } from "@talos-ts/linux";
import type { Machine } from "../../../machine.ts";
import type { Handler } from "./handler.ts";

export const mounts: Handler<"mounts"> = (machine) => async () => {
  const list = await machine.linux.mounts.list();
  return { messages: [{ stats: await Promise.all(list.map((mount) => describe(machine, mount))) }] };
};

/** Single files can be mount points too; the size of what is behind them says nothing, so it is left out. */
async function describe(machine: Machine, { source, target }: MountInfo) {
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
