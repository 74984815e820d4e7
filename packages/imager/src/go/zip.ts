import { inflateRawSync } from "node:zlib";
import { OsError } from "@talos-ts/base";

/** One file of a zip archive. */
export interface ZipFile {
  /** Path in the archive, with forward slashes. */
  readonly name: string;
  /** Decompresses the content; every call does the work again. */
  content(): Buffer;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** Size of the end record without its comment, which is at most 64 KiB long (APPNOTE.TXT 4.3.16). */
const endRecordBytes = 22;
const longestComment = 0xffff;

/**
 * Lists the files of a zip archive, without its folders.
 *
 * Reads what Go module proxies serve: stored or deflated entries, no encryption, no zip64, one volume.
 *
 * @throws OsError `zip/malformed` when the archive is cut off or uses something else.
 */
export function readZip(bytes: Buffer): ZipFile[] {
  const end = findEnd(bytes);
  const files: ZipFile[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry)
      throw malformed(`there is no directory entry at byte ${at}`);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    if (!name.endsWith("/")) files.push(fileAt(bytes, at, name));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function findEnd(bytes: Buffer): number {
  const last = bytes.length - endRecordBytes;
  for (let at = last; at >= Math.max(0, last - longestComment); at -= 1)
    if (bytes.readUInt32LE(at) === endOfDirectory) return at;
  throw malformed("there is no end record");
}

function fileAt(bytes: Buffer, entry: number, name: string): ZipFile {
  const method = bytes.readUInt16LE(entry + 10);
  const compressed = bytes.readUInt32LE(entry + 20);
  const size = bytes.readUInt32LE(entry + 24);
  const header = bytes.readUInt32LE(entry + 42);
  if (method !== 0 && method !== 8) throw malformed(`"${name}" is compressed with method ${method}, expected 0 or 8`);
  return {
    name,
    content() {
      // The local header has extra fields of its own; only it tells where the content begins.
      const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
      const packed = bytes.subarray(start, start + compressed);
      const content = method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
      if (content.length === size) return content;
      throw malformed(`"${name}" has ${content.length} bytes, expected ${size}`);
    },
  };
}

function malformed(reason: string): OsError {
  return new OsError({ kind: "data-loss", code: "zip/malformed", message: `Cannot read the zip archive: ${reason}` });
}
