import { createReadStream } from "node:fs";
import { OsError } from "@talos-ts/base";
import { layerOrder, sizeOf, withParents, type FileEntry, type TarEntry } from "./tar-entry.ts";

const blockBytes = 512;
const nameBytes = 100;

const typeFlags = { directory: "5", file: "0", symlink: "2", hardlink: "1" } as const;

/**
 * Writes entries as a tar archive in the POSIX (pax) format.
 *
 * The same entries give the same bytes: everything belongs to root, every time stamp is `time`, in seconds since 1970, and
 * the order does not depend on the order of the input.
 *
 * @throws OsError `image/changed` when a file does not have the size that was promised.
 */
export async function* writeTar(entries: readonly TarEntry[], time: number): AsyncGenerator<Buffer, void, undefined> {
  for (const entry of layerOrder(withParents(entries))) {
    yield* header(entry, time);
    if (entry.type !== "file") continue;
    let written = 0;
    for await (const chunk of contentOf(entry)) {
      written += chunk.byteLength;
      yield chunk;
    }
    if (written !== sizeOf(entry)) throw changed(entry, written);
    yield padding(written);
  }
  yield Buffer.alloc(2 * blockBytes);
}

async function* contentOf({ content }: FileEntry): AsyncGenerator<Buffer, void, undefined> {
  if (content instanceof Uint8Array) yield Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  else for await (const chunk of createReadStream(content.from, { highWaterMark: 1 << 20 })) yield chunk as Buffer;
}

function* header(entry: TarEntry, time: number): Generator<Buffer, void, undefined> {
  const path = entry.type === "directory" ? `${entry.path}/` : entry.path;
  const target = "target" in entry ? entry.target : "";
  const records: [string, Buffer][] = [];
  // Only what does not fit the old fields needs a record of its own.
  if (Buffer.byteLength(path) > nameBytes) records.push(["path", Buffer.from(path)]);
  if (Buffer.byteLength(target) > nameBytes) records.push(["linkpath", Buffer.from(target)]);
  if (entry.type === "file") {
    for (const [name, value] of Object.entries(entry.attributes ?? {})) records.push([`SCHILY.xattr.${name}`, value]);
  }
  if (records.length > 0) {
    const body = Buffer.concat(records.map(([key, value]) => paxRecord(key, value)));
    yield block({ path: "pax", target: "", flag: "x", mode: 0o644, size: body.byteLength, time });
    yield body;
    yield padding(body.byteLength);
  }
  const mode = "mode" in entry ? entry.mode : 0o777;
  const size = entry.type === "file" ? sizeOf(entry) : 0;
  yield block({ path, target, flag: typeFlags[entry.type], mode, size, time });
}

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function paxRecord(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from("\n")]);
  let length = rest.byteLength + 1;
  while (String(length).length + rest.byteLength !== length) length += 1;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

interface Fields {
  readonly path: string;
  readonly target: string;
  readonly flag: string;
  readonly mode: number;
  readonly size: number;
  readonly time: number;
}

function block(fields: Fields): Buffer {
  const bytes = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, width: number): void =>
    void bytes.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "ascii");
  const name = (value: string, at: number): void => bytes.set(Buffer.from(value).subarray(0, nameBytes), at);
  name(fields.path, 0);
  octal(fields.mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(fields.size, 124, 12);
  octal(fields.time, 136, 12);
  bytes.write(" ".repeat(8), 148, "ascii");
  bytes.write(fields.flag, 156, "ascii");
  name(fields.target, 157);
  bytes.write("ustar\x0000", 257, "latin1");
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "ascii");
  return bytes;
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

function changed(entry: FileEntry, written: number): OsError {
  return new OsError({
    kind: "data-loss",
    code: "image/changed",
    message: `Cannot pack "${entry.path}": expected ${String(sizeOf(entry))} bytes, it has ${String(written)} now`,
  });
}
