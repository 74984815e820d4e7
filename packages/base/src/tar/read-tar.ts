import { OsError } from "../error.ts";
import { createByteReader, type ByteReader } from "./byte-reader.ts";

/** One entry of a tar archive: the fields of its header and its contents, which are empty unless it is a regular file. */
export interface TarEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "symlink" | "hardlink" | "other";
  readonly mode: number;
  readonly linkName: string;
  readonly size: number;
  /** Must be read before the next entry is asked for; what is left is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

const blockSize = 512;
/** Names and numbers that do not fit into a header; more is an attack on the memory of the reader. */
const maxExtendedBytes = 1024 * 1024;

const types: Readonly<Record<string, TarEntry["type"]>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "hardlink",
  "2": "symlink",
  "5": "directory",
};

/**
 * The entries of an archive in the forms of POSIX and GNU, with long names.
 *
 * @throws `archive/bad-tar`
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = createByteReader(source);
  let extra: Record<string, string> = {};
  for (;;) {
    const header = await reader.read(blockSize);
    if (header.length < blockSize || header.every((byte) => byte === 0)) return;
    checkSum(header);
    const flag = String.fromCharCode(header[156] ?? 0);
    const size = extra["size"] === undefined ? octal(header, 124, 12) : Number(extra["size"]);
    const padding = (blockSize - (size % blockSize)) % blockSize;
    if (flag === "x" || flag === "L" || flag === "K" || flag === "g") {
      if (size > maxExtendedBytes) throw bad(`an extended header has ${String(size)} bytes`);
      const body = await reader.read(size);
      await reader.read(padding);
      if (flag === "x") Object.assign(extra, paxRecords(body));
      else if (flag !== "g") extra[flag === "L" ? "path" : "linkpath"] = text(body, 0, body.length);
      continue;
    }
    const prefix = text(header, 257, 5) === "ustar" ? text(header, 345, 155) : "";
    const short = text(header, 0, 100);
    const state = { left: size };
    yield {
      name: extra["path"] ?? (prefix === "" ? short : `${prefix}/${short}`),
      type: types[flag] ?? "other",
      mode: octal(header, 100, 8) & 0o7777,
      linkName: extra["linkpath"] ?? text(header, 157, 100),
      size,
      content: contentOf(reader, state),
    };
    await reader.skip(state.left + padding);
    extra = {};
  }
}

async function* contentOf(reader: ByteReader, state: { left: number }): AsyncGenerator<Uint8Array> {
  while (state.left > 0) {
    const chunk = await reader.take(state.left);
    if (chunk.length === 0) throw bad("it ends in the middle of a file");
    state.left -= chunk.length;
    yield chunk;
  }
}

function text(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

/** Digits in base 8, or, where the first bit is set, a number in base 256. */
function octal(block: Uint8Array, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first >= 0x80) {
    return block.subarray(start + 1, start + length).reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
  }
  const digits = text(block, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw bad(`a number is written as ${JSON.stringify(digits)}`);
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function checkSum(header: Uint8Array): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (sum !== octal(header, 148, 8)) throw bad("the checksum of a header does not fit");
}

/** Lines of the form `<length> <key>=<value>\n`. */
function paxRecords(body: Uint8Array): Readonly<Record<string, string>> {
  const records: Record<string, string> = {};
  for (let start = 0; start < body.length;) {
    const length = Number.parseInt(text(body, start, 20), 10);
    if (!(length > 0)) throw bad("an extended header has no length");
    const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(text(body, start, length)) ?? [];
    if (key === undefined || value === undefined) throw bad("an extended header cannot be read");
    records[key] = value;
    start += length;
  }
  return records;
}

const bad = (reason: string): OsError =>
  new OsError({ kind: "data-loss", code: "archive/bad-tar", message: `Cannot read the archive: ${reason}` });
