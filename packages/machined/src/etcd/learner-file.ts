import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readOptional, writeDurably } from "@talos-ts/host";
import { paths } from "@talos-ts/machinery/constants";
import type { EtcdAccess } from "./dependencies.ts";

/** Notes that the data directory is that of a learner, which may be thrown away when the cluster drops the learner. */
export async function rememberLearner({ root }: EtcdAccess, id: bigint): Promise<void> {
  await writeDurably(join(root, paths.etcdLearner), id.toString(16), 0o600);
}

/** Id of the learner that the data directory belongs to; `undefined` when it votes or there is none. */
export async function rememberedLearner({ root }: EtcdAccess): Promise<bigint | undefined> {
  const text = (await readOptional(join(root, paths.etcdLearner)))?.toString() ?? "";
  return /^[0-9a-f]{1,16}$/.test(text) ? BigInt(`0x${text}`) : undefined;
}

/** Removes the note: the member votes, or its data is gone. */
export async function forgetLearner({ root }: EtcdAccess): Promise<void> {
  await rm(join(root, paths.etcdLearner), { force: true });
}
