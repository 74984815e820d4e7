import { malformed } from "../ffi/errno.ts";
import { fromCString } from "../ffi/c-string.ts";
import type { Attributes } from "./attributes.ts";

/** Values of attributes; the kernel writes numbers in the byte order of the machine, which is little-endian here. */

export function u8(value: number): Buffer {
  return Buffer.from([value & 0xff]);
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u16be(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function sized(bytes: Buffer, length: number): Buffer {
  if (bytes.length < length) {
    throw malformed("netlink", `a netlink attribute of ${String(bytes.length)} bytes where ${String(length)} are due`);
  }
  return bytes;
}

export function readU8(attributes: Attributes, type: number): number | undefined {
  const bytes = attributes.get(type);
  return bytes === undefined ? undefined : sized(bytes, 1).readUInt8();
}

export function readU16(attributes: Attributes, type: number): number | undefined {
  const bytes = attributes.get(type);
  return bytes === undefined ? undefined : sized(bytes, 2).readUInt16LE();
}

export function readU16be(attributes: Attributes, type: number): number | undefined {
  const bytes = attributes.get(type);
  return bytes === undefined ? undefined : sized(bytes, 2).readUInt16BE();
}

export function readU32(attributes: Attributes, type: number): number | undefined {
  const bytes = attributes.get(type);
  return bytes === undefined ? undefined : sized(bytes, 4).readUInt32LE();
}

export function readText(attributes: Attributes, type: number): string | undefined {
  const bytes = attributes.get(type);
  return bytes === undefined ? undefined : fromCString(bytes);
}
