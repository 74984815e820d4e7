import { crc32 } from "node:zlib";

/**
 * The frames of a log file. A file is a header and then frames, each of which is one write:
 *
 * ```
 * header  "COSI" version:u32 id:8 bytes checksum:u32
 * frame   mark:u32 sequence:u32 length:u32 checksum:u32 body
 * ```
 *
 * Numbers are little-endian. The checksum of the header covers the rest of it: with another id no frame would be taken for
 * one, and the file for an empty one. That of a frame covers its other fields and the body, and starts from the id of the
 * file, so that bytes of another file, or of a spec that looks like a frame, are never taken for one.
 */
export interface LogHeader {
  /** Random per file. */
  readonly id: Uint8Array;
}

export const headerBytes = 20;
/** Bytes of the header that its checksum covers. */
const headerBodyBytes = 16;
const frameHeadBytes = 16;
const magic = Buffer.from("COSI");
export const formatVersion = 2;
const mark = 0x464c_4f47;

export function encodeHeader({ id }: LogHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(formatVersion, 4);
  Buffer.from(id).copy(bytes, 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, headerBodyBytes)), headerBodyBytes);
  return bytes;
}

/** `undefined` for bytes that do not begin with an intact header of this format. */
export function decodeHeader(file: Buffer): LogHeader | undefined {
  if (file.length < headerBytes || !file.subarray(0, 4).equals(magic)) return undefined;
  if (file.readUInt32LE(4) !== formatVersion) return undefined;
  if (file.readUInt32LE(headerBodyBytes) !== crc32(file.subarray(0, headerBodyBytes))) return undefined;
  return { id: Uint8Array.from(file.subarray(8, headerBodyBytes)) };
}

export function encodeFrame(header: LogHeader, sequence: number, body: Uint8Array): Buffer {
  const frame = Buffer.alloc(frameHeadBytes + body.length);
  frame.writeUInt32LE(mark, 0);
  frame.writeUInt32LE(sequence, 4);
  frame.writeUInt32LE(body.length, 8);
  frame.set(body, frameHeadBytes);
  frame.writeUInt32LE(checksum(header, frame), 12);
  return frame;
}

export interface Frame {
  readonly sequence: number;
  readonly body: Buffer;
  /** Offset of the next frame. */
  readonly end: number;
}

/** The frame at an offset, or `undefined` when there is none that is whole and intact. */
export function decodeFrame(header: LogHeader, file: Buffer, offset: number): Frame | undefined {
  if (file.length - offset < frameHeadBytes || file.readUInt32LE(offset) !== mark) return undefined;
  const length = file.readUInt32LE(offset + 8);
  const end = offset + frameHeadBytes + length;
  if (end > file.length) return undefined;
  const frame = file.subarray(offset, end);
  if (frame.readUInt32LE(12) !== checksum(header, frame)) return undefined;
  return { sequence: frame.readUInt32LE(4), body: frame.subarray(frameHeadBytes), end };
}

/** The next place where a frame may begin. */
export function findMark(file: Buffer, from: number): number | undefined {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(mark);
  const offset = file.indexOf(bytes, from);
  return offset === -1 ? undefined : offset;
}

function checksum({ id }: LogHeader, frame: Buffer): number {
  return crc32(frame.subarray(frameHeadBytes), crc32(frame.subarray(0, 12), crc32(Buffer.from(id))));
}
