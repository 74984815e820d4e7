import { flags, frameTypes } from "../constants.ts";
import { Field } from "../field.ts";
import { HpackEncoder } from "../hpack/encoder.ts";

/** Bytes of one frame. */
export function frame(type: number, frameFlags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = frameFlags;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}

/** A header block without a dynamic table, so that blocks do not depend on each other. */
export function block(fields: readonly (readonly [string, string])[]): Buffer {
  const list = fields.map(([name, value]) => new Field(name, value));
  const out = Buffer.alloc(HpackEncoder.bound(list));
  return out.subarray(0, new HpackEncoder(0).encode(list, out, 0));
}

export const requestFields: readonly (readonly [string, string])[] = [
  [":method", "POST"],
  [":scheme", "http"],
  [":path", "/test"],
  [":authority", "peer"],
];

/** HEADERS of a request; without `end` a body may follow. */
export function request(streamId: number, end = false, fields = requestFields): Buffer {
  const last = end ? flags.endStream : 0;
  return frame(frameTypes.headers, flags.endHeaders | last, streamId, block(fields));
}

export const settings = frame(frameTypes.settings, 0, 0);

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export interface ParsedFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Cuts whole frames. */
export function parseFrames(bytes: Buffer): ParsedFrame[] {
  const frames: ParsedFrame[] = [];
  for (let offset = 0; offset + 9 <= bytes.length;) {
    const length = bytes.readUIntBE(offset, 3);
    const payload = bytes.subarray(offset + 9, offset + 9 + length);
    frames.push({
      type: bytes[offset + 3] as number,
      flags: bytes[offset + 4] as number,
      streamId: bytes.readUInt32BE(offset + 5),
      payload,
    });
    offset += 9 + length;
  }
  return frames;
}
