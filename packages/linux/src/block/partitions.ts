import { closeSync, openSync } from "node:fs";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import type { BlockRange } from "./block-devices.ts";

const BLKPG = 0x1269n;
/** Operations of BLKPG. */
const operations = { add: 1, delete: 2 } as const;
/** `struct blkpg_partition`: start, length, number, and two names that nobody reads. */
const partitionBytes = 8 + 8 + 4 + 64 + 64 + 4;

/** Position of a partition, in bytes. */
export interface KernelPartition {
  /** Counts from 1. */
  readonly number: number;
  readonly startBytes: number;
  readonly sizeBytes: number;
}

/** A change of the partitions that the kernel knows of a disk. */
interface PartitionChange {
  readonly path: string;
  readonly fd: number;
  readonly change: keyof typeof operations;
  readonly number: number;
  readonly range?: BlockRange;
}

/**
 * Tells the kernel of a new partition of a disk. Others of the same disk may be in use, which they must not be when the kernel
 * reads the whole table again.
 *
 * @throws OsError `partition/<errno>`
 */
export function addKernelPartition(disk: string, { number, ...range }: KernelPartition): void {
  const fd = openSync(disk, "r+");
  try {
    changePartition({ path: disk, fd, change: "add", number, range });
  } finally {
    closeSync(fd);
  }
}

/** Changes one partition in the eyes of the kernel; what is on the disk stays. @throws OsError `partition/<errno>` */
export function changePartition({ path, fd, change, number, range }: PartitionChange): void {
  const { functions, ffi, errno } = libc();
  const data = Buffer.alloc(partitionBytes);
  data.writeBigInt64LE(BigInt(range?.startBytes ?? 0), 0);
  data.writeBigInt64LE(BigInt(range?.sizeBytes ?? 0), 8);
  data.writeInt32LE(number, 16);
  const argument = Buffer.alloc(24);
  argument.writeInt32LE(operations[change], 0);
  argument.writeInt32LE(data.length, 8);
  argument.writeBigUInt64LE(ffi.getRawPointer(data), 16);
  if (functions.ioctl(fd, BLKPG, argument) >= 0) return;
  const action = `${change} partition ${String(number)} of "${path}"`;
  throw kernelError({ area: "partition", action, errno: errno(), details: { disk: path, number } });
}
