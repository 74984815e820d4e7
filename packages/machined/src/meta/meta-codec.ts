import { createHash } from "node:crypto";
import { OsError } from "@talos-ts/base";
import { metaKeyId } from "@talos-ts/machinery/constants";

/** Values of META by their keys, 1 to 255. */
export type MetaValues = ReadonlyMap<number, Buffer>;

/** Bytes of one copy; a partition begins with two of them. */
export const metaCopyBytes = 256 * 1024;

const headBytes = 4;
const checksumBytes = 32;
const checksumAt = metaCopyBytes - checksumBytes - 4;
const beginMagic = 0x5a4b3c2d;
const endMagic = 0xa5b4c3d2;
/** Key and length before each value. */
const entryHeadBytes = 8;
/** Key after the last value: the rest of the copy is zeros. */
const endKey = 0;

/** Bytes that all values may take together, eight more for each. */
export const metaCapacityBytes = checksumAt - headBytes;

/** Counts the bytes that values take in a copy. */
function metaUsedBytes(values: MetaValues): number {
  return values.values().reduce((sum, value) => sum + entryHeadBytes + value.length, 0);
}

/**
 * Encodes one copy in the format of Talos, numbers in network order: magic, values (key, length, bytes) in the order of their
 * keys, zeros, SHA-256 of the copy with zeros in its place, magic.
 *
 * @throws OsError `meta/full` when the values do not fit, `meta/key` for a key that the format cannot hold.
 */
export function encodeMetaCopy(values: MetaValues): Buffer {
  const used = metaUsedBytes(values);
  if (used > metaCapacityBytes) throw full(used);
  const copy = Buffer.alloc(metaCopyBytes);
  copy.writeUInt32BE(beginMagic, 0);
  let at = headBytes;
  for (const [key, value] of [...values].toSorted(([left], [right]) => left - right)) {
    if (!isMetaKey(key)) throw badKey(key);
    at = copy.writeUInt32BE(key, at);
    at = copy.writeUInt32BE(value.length, at);
    at += value.copy(copy, at);
  }
  copy.writeUInt32BE(endMagic, metaCopyBytes - 4);
  checksumOf(copy).copy(copy, checksumAt);
  return copy;
}

/** Decodes one copy; `undefined` when it is damaged, or was never written. Keys above 255 are cut to a byte, as Talos reads them. */
export function decodeMetaCopy(copy: Buffer): MetaValues | undefined {
  if (copy.length !== metaCopyBytes) return undefined;
  if (copy.readUInt32BE(0) !== beginMagic || copy.readUInt32BE(metaCopyBytes - 4) !== endMagic) return undefined;
  if (!checksumOf(copy).equals(copy.subarray(checksumAt, checksumAt + checksumBytes))) return undefined;
  const values = new Map<number, Buffer>();
  for (let at = headBytes; at + entryHeadBytes <= checksumAt;) {
    const key = copy.readUInt32BE(at);
    if (key === endKey) break;
    const begin = at + entryHeadBytes;
    const end = begin + copy.readUInt32BE(at + 4);
    if (end > checksumAt) return undefined;
    values.set(key & 0xff, Buffer.from(copy.subarray(begin, end)));
    at = end;
  }
  return values;
}

/** Reports whether a value can have this key: one byte, and not the one that ends the list. */
function isMetaKey(key: number): boolean {
  return Number.isInteger(key) && key > endKey && key <= 0xff;
}

function checksumOf(copy: Buffer): Buffer {
  const hash = createHash("sha256").update(copy.subarray(0, checksumAt)).update(Buffer.alloc(checksumBytes));
  return hash.update(copy.subarray(checksumAt + checksumBytes)).digest();
}

function full(used: number): OsError {
  return new OsError({
    kind: "resource-exhausted",
    code: "meta/full",
    message: `meta write failed: expected at most ${String(metaCapacityBytes)} bytes in all values, eight more for each, got ${String(used)}`,
    next: "talosctl get metakeys",
  });
}

function badKey(key: number): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "meta/key",
    message: `Cannot keep a value under key ${metaKeyId(key)} of META: expected a key from 0x01 to 0xff`,
    next: "talosctl get metakeys",
  });
}
