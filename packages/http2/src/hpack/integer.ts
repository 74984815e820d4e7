import { errorCodes } from "../constants.ts";
import { Http2Error } from "../errors.ts";

/** Largest integer accepted: far above any table index, table size or string length in use. */
const maxInteger = 0x0fff_ffff;

/** Reads integers with a prefix (RFC 7541 section 5.1) from a header block. */
export class IntegerReader {
  readonly bytes: Buffer;
  offset = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @throws {Http2Error} COMPRESSION_ERROR when the block ends inside the integer, or it is too large. */
  read(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value > maxInteger) break;
        return value;
      }
    }
    throw new Http2Error(errorCodes.compressionError, "Cannot decode a header block: an integer is too large");
  }

  #byte(): number {
    const byte = this.bytes[this.offset];
    if (byte === undefined) {
      throw new Http2Error(errorCodes.compressionError, "Cannot decode a header block: it ends inside a field");
    }
    this.offset += 1;
    return byte;
  }
}

/** Writes an integer behind the pattern bits of its first byte; returns the offset behind it. */
export function writeInteger(out: Buffer, offset: number, pattern: number, prefixBits: number, value: number): number {
  const mask = (1 << prefixBits) - 1;
  let position = offset;
  if (value < mask) {
    out[position] = pattern | value;
    return position + 1;
  }
  out[position] = pattern | mask;
  position += 1;
  let rest = value - mask;
  while (rest >= 0x80) {
    out[position] = (rest & 0x7f) | 0x80;
    position += 1;
    rest >>>= 7;
  }
  out[position] = rest;
  return position + 1;
}

/** Upper bound of the bytes of an integer of 28 bits. */
export const maxIntegerBytes = 6;
