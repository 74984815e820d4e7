import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { describeError, OsError } from "@talos-ts/base";
import { KeyValueSchema } from "@talos-ts/proto/etcd/mvcc";
import { openBoltFile } from "./internal/bolt-file.ts";
import { crc32c } from "./internal/crc32c.ts";

/** Describes what is in a snapshot of etcd. */
export interface SnapshotStatus {
  /** CRC-32C over all keys and values, 8 hexadecimal digits. */
  readonly hash: string;
  /** The newest revision of a key. */
  readonly revision: bigint;
  /** Keys that exist at that revision. */
  readonly totalKeys: number;
  /** Bytes of the database. */
  readonly totalSize: number;
}

/** Settings of checking a snapshot. */
export interface CheckSnapshotOptions {
  /** The file is a copy of a database and has no SHA-256 behind it. @default {false} */
  readonly skipHashCheck?: boolean;
}

/** Bytes of the SHA-256 that etcd puts behind the database. */
const hashBytes = 32;
/** Databases have whole pages, and a page has a multiple of this many bytes. */
const sectorBytes = 512;
/** The bucket of keys by revision. */
const keyBucket = "key";
/** Main and sub revision with a separator; one more byte marks a deletion. */
const revisionBytes = 17;

/**
 * Verifies the checksum of a snapshot and reads all of it.
 *
 * @throws {OsError} `etcd/bad-snapshot`
 */
export async function checkSnapshot(path: string, options: CheckSnapshotOptions = {}): Promise<SnapshotStatus> {
  await using file = await open(path, "r");
  if (options.skipHashCheck !== true) await verifyHash(file);
  // Awaited, as the file is closed on the way out.
  return await readStatus(file);
}

async function verifyHash(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size % sectorBytes !== hashBytes) throw bad(`sha256 checksum not found (size ${String(size)})`);
  const hash = createHash("sha256");
  const end = size - hashBytes;
  for await (const chunk of file.createReadStream({ start: 0, end: end - 1, autoClose: false })) {
    hash.update(chunk as Buffer);
  }
  const expected = Buffer.alloc(hashBytes);
  await file.read(expected, 0, hashBytes, end);
  const actual = hash.digest();
  if (!actual.equals(expected)) {
    throw bad(`expected sha256 ${expected.toString("hex")}, got ${actual.toString("hex")}`);
  }
}

async function readStatus(file: FileHandle): Promise<SnapshotStatus> {
  const bolt = await openBoltFile(file);
  const keys = new Set<string>();
  let crc = 0;
  let revision = 0n;
  for await (const { name, pairs } of bolt.buckets()) {
    crc = crc32c(name, crc);
    const isKeys = name.toString() === keyBucket;
    for await (const { key, value } of pairs) {
      crc = crc32c(value, crc32c(key, crc));
      if (!isKeys || key.length < revisionBytes) continue;
      revision = key.readBigInt64BE(0);
      const changed = nameOf(value);
      if (key.length > revisionBytes) keys.delete(changed);
      else keys.add(changed);
    }
  }
  return { hash: crc.toString(16).padStart(8, "0"), revision, totalKeys: keys.size, totalSize: bolt.sizeBytes };
}

/** Name of the key that a record is about. */
function nameOf(record: Buffer): string {
  try {
    return Buffer.from(fromBinary(KeyValueSchema, record).key).toString("latin1");
  } catch (err) {
    throw bad(`a record of a key cannot be read: ${describeError(err)}`);
  }
}

function bad(message: string): OsError {
  return new OsError({
    kind: "data-loss",
    code: "etcd/bad-snapshot",
    message,
    next: "talosctl etcd snapshot <path>",
  });
}
