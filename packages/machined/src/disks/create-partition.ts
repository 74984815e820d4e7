import type { Logger } from "@talos-ts/cosi";
import {
  encodeGpt,
  gptFreeRanges,
  readGptTable,
  withGptEntry,
  writeGptTable,
  type BlockRange,
  type Linux,
  type OpenBlockDevice,
} from "@talos-ts/linux";
import { announceChange } from "./announce-change.ts";

/** A partition to make. */
export interface PartitionWish {
  /** Name of the disk below `/dev`. */
  readonly disk: string;
  /** True for a disk without a table, which gets one. */
  readonly empty: boolean;
  readonly label: string;
  /** Type as a GUID. */
  readonly type: string;
  /** Size of the partition, when this much is free in one piece; 0 when that is too little. */
  readonly sizeFor: (freeBytes: number) => number;
}

/** Parts of the machine that partitions are made with. */
export interface PartitionMachine {
  readonly linux: Pick<Linux, "blockDevices" | "files" | "textFiles">;
  readonly logger: Logger;
}

/** Bytes at both ends of a partition in which an earlier one may have left what file systems are known by. */
const signatureBytes = 1024 ** 2;

/** Bytes of the largest piece of a disk that no partition has. @throws OsError `gpt/none` */
export async function largestFreeBytes({ linux }: PartitionMachine, disk: string, empty: boolean): Promise<number> {
  await using device = await linux.blockDevices.open(`/dev/${disk}`);
  return (await largestFree(device, empty))?.sizeBytes ?? 0;
}

/**
 * Makes a partition in the largest free piece of a disk, with nothing in it; other partitions of the disk may be in use.
 * Resolves to whether there was room for it.
 *
 * @throws OsError `gpt/none`, `block/<errno>`, `partition/<errno>`
 */
export async function createPartition(
  machine: PartitionMachine,
  { disk, empty, label, type, sizeFor }: PartitionWish,
  signal: AbortSignal,
): Promise<boolean> {
  const { linux, logger } = machine;
  // Programs that look at devices hold this lock while they do, udevd among them.
  await using _lock = await linux.files.lock(`/dev/${disk}`, { signal });
  await using device = await linux.blockDevices.open(`/dev/${disk}`);
  const free = await largestFree(device, empty);
  const sizeBytes = Math.floor(sizeFor(free?.sizeBytes ?? 0) / signatureBytes) * signatureBytes;
  if (free === undefined || sizeBytes === 0) return false;
  const { startBytes } = free;
  if (empty) await writeEmptyTable(device);
  const added = withGptEntry(await readGptTable(device), { type, label, startBytes, sizeBytes }, device.sectorBytes);
  for (const at of [startBytes, startBytes + sizeBytes - signatureBytes]) {
    await device.zero({ startBytes: at, sizeBytes: signatureBytes });
  }
  await writeGptTable(device, added.table);
  device.addPartition(added.number, { startBytes, sizeBytes });
  logger.info("created partition", { disk, number: added.number, label, bytes: sizeBytes });
  await announceChange(machine, disk);
  return true;
}

async function largestFree(device: OpenBlockDevice, empty: boolean): Promise<BlockRange | undefined> {
  const ranges = empty
    ? [{ startBytes: signatureBytes, sizeBytes: device.sizeBytes - 2 * signatureBytes }]
    : gptFreeRanges(await readGptTable(device), device.sectorBytes);
  return ranges.toSorted((left, right) => right.sizeBytes - left.sizeBytes)[0];
}

async function writeEmptyTable(device: OpenBlockDevice): Promise<void> {
  const { head, tail, tailBytes } = encodeGpt(device.sizeBytes, []);
  await device.write(tailBytes, tail);
  await device.write(0, head);
  await device.sync();
}
