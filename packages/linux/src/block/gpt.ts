import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { OsError } from "@talos-ts/base";

/** Partition of a GUID partition table; positions in bytes. */
export interface GptPartition {
  /** Type as a GUID, upper case. */
  readonly type: string;
  readonly label: string;
  readonly startBytes: number;
  readonly sizeBytes: number;
  /** @default a new one */
  readonly uuid?: string;
}

/** Two pieces of a disk that hold a table; the second is the copy at its end. */
export interface GptImage {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Position of `tail`. */
  readonly tailBytes: number;
}

const sectorBytes = 512;
const entryCount = 128;
const entryBytes = 128;
const entrySectors = (entryCount * entryBytes) / sectorBytes;
/** Protective MBR, header and entries. */
const headSectors = 2 + entrySectors;
const tailSectors = 1 + entrySectors;

/** Partitions begin at multiples of this, as all disks like it. */
export const alignmentBytes = 1024 ** 2;

/** Bytes of a disk that partitions may take: from the first alignment to the copy of the table, rounded down. */
export function gptUsableBytes(diskBytes: number): { readonly start: number; readonly end: number } {
  const end = diskBytes - tailSectors * sectorBytes;
  return { start: alignmentBytes, end: end - (end % alignmentBytes) };
}

/**
 * Encodes a table for a disk with sectors of 512 bytes, as the UEFI specification describes it.
 *
 * @throws OsError `gpt/out-of-range` when a partition lies outside of the disk or overlaps the one before it.
 */
export function encodeGpt(diskBytes: number, partitions: readonly GptPartition[], diskUuid = randomUUID()): GptImage {
  const sectors = Math.floor(diskBytes / sectorBytes);
  const usable = gptUsableBytes(diskBytes);
  let free = usable.start;
  for (const { label, startBytes, sizeBytes } of partitions) {
    if (startBytes < free || sizeBytes <= 0 || startBytes + sizeBytes > usable.end) throw outOfRange(label, diskBytes);
    free = startBytes + sizeBytes;
  }
  const entries = Buffer.alloc(entryCount * entryBytes);
  for (const [index, partition] of partitions.entries()) encodeEntry(partition).copy(entries, index * entryBytes);
  const shared = { sectors, diskUuid, entriesCrc: crc32(entries) };
  const first = encodeHeader({ ...shared, own: 1, other: sectors - 1, entriesAt: 2 });
  const second = encodeHeader({ ...shared, own: sectors - 1, other: 1, entriesAt: sectors - tailSectors });
  return {
    head: Buffer.concat([protectiveMbr(sectors), first, entries]),
    tail: Buffer.concat([entries, second]),
    tailBytes: (sectors - tailSectors) * sectorBytes,
  };
}

function protectiveMbr(sectors: number): Buffer {
  const mbr = Buffer.alloc(sectorBytes);
  // One partition of type 0xEE over the whole disk, for programs that know no GPT.
  mbr.set([0x00, 0x00, 0x02, 0x00, 0xee, 0xff, 0xff, 0xff], 446);
  mbr.writeUInt32LE(1, 454);
  mbr.writeUInt32LE(Math.min(sectors - 1, 0xffff_ffff), 458);
  mbr.set([0x55, 0xaa], 510);
  return mbr;
}

interface Header {
  readonly sectors: number;
  readonly diskUuid: string;
  readonly entriesCrc: number;
  readonly own: number;
  readonly other: number;
  readonly entriesAt: number;
}

function encodeHeader({ sectors, diskUuid, entriesCrc, own, other, entriesAt }: Header): Buffer {
  const header = Buffer.alloc(sectorBytes);
  const length = 92;
  header.write("EFI PART", 0, "latin1");
  header.writeUInt32LE(0x0001_0000, 8);
  header.writeUInt32LE(length, 12);
  header.writeBigUInt64LE(BigInt(own), 24);
  header.writeBigUInt64LE(BigInt(other), 32);
  header.writeBigUInt64LE(BigInt(headSectors), 40);
  header.writeBigUInt64LE(BigInt(sectors - tailSectors - 1), 48);
  encodeGuid(diskUuid).copy(header, 56);
  header.writeBigUInt64LE(BigInt(entriesAt), 72);
  header.writeUInt32LE(entryCount, 80);
  header.writeUInt32LE(entryBytes, 84);
  header.writeUInt32LE(entriesCrc, 88);
  header.writeUInt32LE(crc32(header.subarray(0, length)), 16);
  return header;
}

function encodeEntry({ type, label, startBytes, sizeBytes, uuid = randomUUID() }: GptPartition): Buffer {
  const entry = Buffer.alloc(entryBytes);
  encodeGuid(type).copy(entry, 0);
  encodeGuid(uuid).copy(entry, 16);
  entry.writeBigUInt64LE(BigInt(startBytes / sectorBytes), 32);
  entry.writeBigUInt64LE(BigInt((startBytes + sizeBytes) / sectorBytes - 1), 40);
  entry.write(label.slice(0, 36), 56, "utf16le");
  return entry;
}

/** A GUID on disk: the first three groups are little-endian numbers, the rest is in the order it is written in. */
export function encodeGuid(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll("-", ""), "hex");
  for (const [from, to] of [
    [0, 4],
    [4, 6],
    [6, 8],
  ] as const) {
    bytes.subarray(from, to).reverse();
  }
  return bytes;
}

export function outOfRange(label: string, diskBytes: number): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "gpt/out-of-range",
    message: `Cannot put partition "${label}" on a disk of ${String(diskBytes)} bytes: it does not fit`,
    details: { label, diskBytes },
  });
}
