import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { OsError } from "@talos-ts/base";
import type { BlockRange, OpenBlockDevice } from "./block-devices.ts";
import { alignmentBytes, encodeGuid, outOfRange, type GptPartition } from "./gpt.ts";

/** Table of a disk as it is, with what this system does not know of left as it was. */
export interface GptTable {
  /** Header, as long as it says of itself. */
  readonly header: Buffer;
  readonly entries: Buffer;
}

/** Entry of a table. */
export interface GptEntry {
  /** Counts from 1, as the kernel does. */
  readonly number: number;
  /** Type as a GUID, upper case. */
  readonly type: string;
  readonly label: string;
  readonly startBytes: number;
  readonly sizeBytes: number;
}

type Disk = Pick<OpenBlockDevice, "path" | "sizeBytes" | "sectorBytes" | "read" | "write" | "sync">;

const signature = "EFI PART";
const leastHeaderBytes = 92;
/** More entries than any disk has; a damaged header asks for more memory than there is. */
const maxEntriesBytes = 1024 ** 2;

/** Positions in a header. */
const at = {
  headerBytes: 12,
  crc: 16,
  own: 24,
  other: 32,
  firstUsable: 40,
  lastUsable: 48,
  entries: 72,
  count: 80,
  entryBytes: 84,
  entriesCrc: 88,
} as const;

/**
 * Reads the table of a disk, from the copy at its end when the one at its beginning is damaged.
 *
 * @throws OsError `gpt/none` when the disk has no whole table.
 */
export async function readGptTable(disk: Disk): Promise<GptTable> {
  const sectors = Math.floor(disk.sizeBytes / disk.sectorBytes);
  const table = (await readCopy(disk, 1)) ?? (await readCopy(disk, sectors - 1));
  if (table !== undefined) return table;
  throw new OsError({
    kind: "failed-precondition",
    code: "gpt/none",
    message: `Cannot read the partition table of "${disk.path}": expected a GUID partition table, found none that is whole`,
    next: "talosctl get discoveredvolumes",
  });
}

async function readCopy(disk: Disk, sector: number): Promise<GptTable | undefined> {
  const { sectorBytes } = disk;
  const block = await disk.read({ startBytes: sector * sectorBytes, sizeBytes: sectorBytes });
  if (block.length < sectorBytes || block.toString("latin1", 0, 8) !== signature) return undefined;
  const headerBytes = block.readUInt32LE(at.headerBytes);
  if (headerBytes < leastHeaderBytes || headerBytes > sectorBytes) return undefined;
  const header = block.subarray(0, headerBytes);
  const blank = Buffer.from(header).fill(0, at.crc, at.crc + 4);
  if (crc32(blank) !== header.readUInt32LE(at.crc) || header.readBigUInt64LE(at.own) !== BigInt(sector))
    return undefined;
  const sizeBytes = header.readUInt32LE(at.count) * entryBytesOf({ header });
  if (sizeBytes === 0 || sizeBytes > maxEntriesBytes) return undefined;
  const startBytes = Number(header.readBigUInt64LE(at.entries)) * sectorBytes;
  const entries = await disk.read({ startBytes, sizeBytes });
  if (entries.length < sizeBytes || crc32(entries) !== header.readUInt32LE(at.entriesCrc)) return undefined;
  return { header, entries };
}

function entryBytesOf({ header }: Pick<GptTable, "header">): number {
  return header.readUInt32LE(at.entryBytes);
}

/** Lists the partitions of a table. */
export function gptEntries(table: GptTable, sectorBytes: number): readonly GptEntry[] {
  const size = entryBytesOf(table);
  return Array.from({ length: table.entries.length / size }, (_, index) => {
    const entry = table.entries.subarray(index * size, (index + 1) * size);
    const first = Number(entry.readBigUInt64LE(32));
    const sectors = Number(entry.readBigUInt64LE(40)) - first + 1;
    return {
      number: index + 1,
      type: decodeGuid(entry.subarray(0, 16)),
      label: entry.toString("utf16le", 56, 128).replace(/\0.*$/s, ""),
      startBytes: first * sectorBytes,
      sizeBytes: sectors * sectorBytes,
    };
  }).filter(({ type }) => type !== unusedType);
}

const unusedType = "00000000-0000-0000-0000-000000000000";

/** Lists what no partition of a table has, in whole MiB. */
export function gptFreeRanges(table: GptTable, sectorBytes: number): readonly BlockRange[] {
  const used = gptEntries(table, sectorBytes).toSorted((left, right) => left.startBytes - right.startBytes);
  const first = Number(table.header.readBigUInt64LE(at.firstUsable)) * sectorBytes;
  const end = (Number(table.header.readBigUInt64LE(at.lastUsable)) + 1) * sectorBytes;
  const ranges: BlockRange[] = [];
  let next = first;
  for (const { startBytes, sizeBytes } of [...used, { startBytes: end, sizeBytes: 0 }]) {
    const from = Math.ceil(next / alignmentBytes) * alignmentBytes;
    const to = Math.floor(startBytes / alignmentBytes) * alignmentBytes;
    if (to > from) ranges.push({ startBytes: from, sizeBytes: to - from });
    next = Math.max(next, startBytes + sizeBytes);
  }
  return ranges;
}

/**
 * Puts a partition into a table, under the first number that is free, which it returns too.
 *
 * @throws OsError `gpt/out-of-range` when another partition has its place, or the table is full.
 */
export function withGptEntry(
  table: GptTable,
  { type, label, startBytes, sizeBytes, uuid = randomUUID() }: GptPartition,
  sectorBytes: number,
): { readonly table: GptTable; readonly number: number } {
  const size = entryBytesOf(table);
  const numbers = new Set(gptEntries(table, sectorBytes).map(({ number }) => number));
  const number = Array.from({ length: table.entries.length / size }, (_, index) => index + 1).find(
    (each) => !numbers.has(each),
  );
  const fits = gptFreeRanges(table, sectorBytes).some(
    (free) => startBytes >= free.startBytes && startBytes + sizeBytes <= free.startBytes + free.sizeBytes,
  );
  if (number === undefined || !fits || sizeBytes <= 0) throw outOfRange(label, startBytes + sizeBytes);
  const entries = Buffer.from(table.entries);
  const entry = entries.subarray((number - 1) * size, number * size).fill(0);
  encodeGuid(type).copy(entry, 0);
  encodeGuid(uuid).copy(entry, 16);
  entry.writeBigUInt64LE(BigInt(startBytes / sectorBytes), 32);
  entry.writeBigUInt64LE(BigInt((startBytes + sizeBytes) / sectorBytes - 1), 40);
  entry.write(label.slice(0, 36), 56, "utf16le");
  return { table: { ...table, entries }, number };
}

/** Takes one partition out of a table; the others keep their numbers. */
export function withoutGptEntry(table: GptTable, number: number): GptTable {
  const size = entryBytesOf(table);
  const entries = Buffer.from(table.entries).fill(0, (number - 1) * size, number * size);
  return { ...table, entries };
}

/** Writes a table and its copy, the copy first: one of them is whole at any time. */
export async function writeGptTable(disk: Disk, { header, entries }: GptTable): Promise<void> {
  const { sectorBytes } = disk;
  const last = Math.floor(disk.sizeBytes / sectorBytes) - 1;
  const entrySectors = Math.ceil(entries.length / sectorBytes);
  for (const { own, other, entriesAt } of [
    { own: last, other: 1, entriesAt: last - entrySectors },
    { own: 1, other: last, entriesAt: 2 },
  ]) {
    const block = Buffer.alloc(sectorBytes);
    header.copy(block);
    block.writeBigUInt64LE(BigInt(own), at.own);
    block.writeBigUInt64LE(BigInt(other), at.other);
    block.writeBigUInt64LE(BigInt(entriesAt), at.entries);
    block.writeUInt32LE(crc32(entries), at.entriesCrc);
    block.writeUInt32LE(0, at.crc);
    block.writeUInt32LE(crc32(block.subarray(0, header.length)), at.crc);
    await disk.write(entriesAt * sectorBytes, entries);
    await disk.write(own * sectorBytes, block);
    await disk.sync();
  }
}

function decodeGuid(bytes: Buffer): string {
  const parts = [
    bytes.subarray(0, 4).toReversed(),
    bytes.subarray(4, 6).toReversed(),
    bytes.subarray(6, 8).toReversed(),
  ];
  const texts = [...parts, bytes.subarray(8, 10), bytes.subarray(10, 16)].map((part) =>
    Buffer.from(part).toString("hex"),
  );
  return texts.join("-").toUpperCase();
}
