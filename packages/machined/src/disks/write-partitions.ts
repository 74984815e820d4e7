import { open } from "node:fs/promises";
import { addKernelPartition, encodeGpt, type GptPartition } from "@talos-ts/linux";

/** Bytes at the beginning of a partition in which file systems keep what they are known by. */
const signatureBytes = 1024 ** 2;

/** Writes a new partition table to a disk that nobody uses, with empty partitions, and tells the kernel of them. */
export async function writePartitions(
  device: string,
  diskBytes: number,
  partitions: readonly GptPartition[],
): Promise<void> {
  const { head, tail, tailBytes } = encodeGpt(diskBytes, partitions);
  await using disk = await open(device, "r+");
  const zeros = Buffer.alloc(signatureBytes);
  for (const { startBytes } of partitions) await disk.write(zeros, 0, zeros.length, startBytes);
  await disk.write(head, 0, head.length, 0);
  await disk.write(tail, 0, tail.length, tailBytes);
  await disk.sync();
  for (const [index, { startBytes, sizeBytes }] of partitions.entries()) {
    addKernelPartition(device, { number: index + 1, startBytes, sizeBytes });
  }
}

/** Makes a partition, or a whole disk, unrecognizable: zeros at its beginning, and at its end where the copy of a table is. */
export async function wipeDevice(device: string, sizeBytes: number): Promise<void> {
  await using file = await open(device, "r+");
  const zeros = Buffer.alloc(Math.min(signatureBytes, sizeBytes));
  await file.write(zeros, 0, zeros.length, 0);
  await file.write(zeros, 0, zeros.length, sizeBytes - zeros.length);
  await file.sync();
}
