import { closeSync, openSync } from "node:fs";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";

const BLKPG = 0x1269n;
const BLKPG_ADD_PARTITION = 1;
/** `struct blkpg_partition`: start, length, number, and two names that nobody reads. */
const partitionBytes = 8 + 8 + 4 + 64 + 64 + 4;

/** Position of a partition, in bytes. */
export interface KernelPartition {
  /** Counts from 1. */
  readonly number: number;
  readonly startBytes: number;
  readonly sizeBytes: number;
}

/**
 * Tells the kernel of a new partition of a disk. Others of the same disk may be in use, which they must not be when the kernel
 * reads the whole table again.
 *
 * @throws OsError `partition/<errno>`
 */
export function addKernelPartition(disk: string, partition: KernelPartition): void {
  const { functions, ffi, errno } = libc();
  const data = Buffer.alloc(partitionBytes);
  data.writeBigInt64LE(BigInt(partition.startBytes), 0);
  data.writeBigInt64LE(BigInt(partition.sizeBytes), 8);
  data.writeInt32LE(partition.number, 16);
  const argument = Buffer.alloc(24);
  argument.writeInt32LE(BLKPG_ADD_PARTITION, 0);
  argument.writeInt32LE(data.length, 8);
  argument.writeBigUInt64LE(ffi.getRawPointer(data), 16);
  const device = openSync(disk, "r+");
  try {
    if (functions.ioctl(device, BLKPG, argument) >= 0) return;
    const action = `add partition ${String(partition.number)} of "${disk}"`;
    throw kernelError({ area: "partition", action, errno: errno(), details: { disk, number: partition.number } });
  } finally {
    closeSync(device);
  }
}
