import { malformed } from "../ffi/errno.ts";

const HEADER = 4;
const NLA_TYPE_MASK = 0x3fff;
const NLA_F_NESTED = 0x8000;

/** One attribute of a netlink message; a list as value is a nested attribute. */
export interface Attribute {
  readonly type: number;
  readonly value: Uint8Array | readonly Attribute[];
}

/** Attributes by type; of a repeated type the last one wins. */
export type Attributes = ReadonlyMap<number, Buffer>;

const align = (length: number): number => (length + 3) & ~3;

export function encodeAttributes(attributes: readonly Attribute[]): Buffer {
  return Buffer.concat(
    attributes.map(({ type, value }) => {
      const nested = !(value instanceof Uint8Array);
      const payload = nested ? encodeAttributes(value) : value;
      const bytes = Buffer.alloc(align(HEADER + payload.length));
      bytes.writeUInt16LE(HEADER + payload.length, 0);
      bytes.writeUInt16LE(nested ? type | NLA_F_NESTED : type, 2);
      bytes.set(payload, HEADER);
      return bytes;
    }),
  );
}

/** Attributes in order, with repeats. @throws OsError `netlink/malformed` when a length does not fit. */
export function parseAttributeList(bytes: Buffer): readonly (readonly [type: number, value: Buffer])[] {
  const found: [number, Buffer][] = [];
  for (let offset = 0; offset + HEADER <= bytes.length;) {
    const length = bytes.readUInt16LE(offset);
    if (length < HEADER || offset + length > bytes.length) {
      throw malformed("netlink", "a netlink attribute: its length does not fit its message", { offset, length });
    }
    const type = bytes.readUInt16LE(offset + 2) & NLA_TYPE_MASK;
    found.push([type, bytes.subarray(offset + HEADER, offset + length)]);
    offset += align(length);
  }
  return found;
}

export function parseAttributes(bytes: Buffer): Attributes {
  return new Map(parseAttributeList(bytes));
}
