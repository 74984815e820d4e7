import { errorCodes } from "../constants.ts";
import { Http2Error } from "../errors.ts";

/**
 * Length in bits of the Huffman code of each byte, then of the end-of-string symbol (RFC 7541 appendix B). The code is canonical:
 * codes of one length count upwards in the order of their symbols, so the lengths say everything.
 */
// prettier-ignore
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];

const endOfString = 256;
const codes = canonicalCodes();

/** Codes in the order of their symbols. */
function canonicalCodes(): Uint32Array {
  const result = new Uint32Array(codeLengths.length);
  let code = 0;
  for (let length = 1; length <= 30; length += 1) {
    for (const [symbol, bits] of codeLengths.entries()) {
      if (bits !== length) continue;
      result[symbol] = code;
      code += 1;
    }
    code <<= 1;
  }
  return result;
}

/** Transition of the decoder: next state in the low bits, then what the nibble completed. */
const stateMask = 0xff;
const emits = 0x100;
const symbolShift = 9;
/** No code goes on like this, or it is the end-of-string symbol, which must not appear. */
const invalid = 1 << 20;

/** `transitions[state * 16 + nibble]`; state 0 is the start of a symbol. */
const { transitions, accepting } = decoderTable();

function decoderTable(): { transitions: Uint32Array; accepting: Uint8Array } {
  // A binary tree: children[2 * node + bit] is a node, or ~symbol for a leaf.
  const children: number[] = [0, 0];
  for (const [symbol, length] of codeLengths.entries()) {
    let node = 0;
    for (let bit = length - 1; bit >= 0; bit -= 1) {
      const slot = 2 * node + (((codes[symbol] as number) >>> bit) & 1);
      if (bit === 0) children[slot] = ~symbol;
      else if (children[slot] === 0) {
        node = children.length / 2;
        children[slot] = node;
        children.push(0, 0);
      } else node = children[slot] as number;
    }
  }
  const count = children.length / 2;
  const transitions = new Uint32Array(count * 16);
  for (let state = 0; state < count; state += 1) {
    for (let nibble = 0; nibble < 16; nibble += 1) transitions[state * 16 + nibble] = step(children, state, nibble);
  }
  // Padding is up to seven of the most significant bits of the end-of-string symbol, which are all ones.
  const accepting = new Uint8Array(count);
  for (let node = 0, bits = 0; bits < 8; bits += 1) {
    accepting[node] = 1;
    node = children[2 * node + 1] as number;
  }
  return { transitions, accepting };
}

function step(children: readonly number[], state: number, nibble: number): number {
  let node = state;
  let emitted = 0;
  for (let bit = 3; bit >= 0; bit -= 1) {
    const next = children[2 * node + ((nibble >>> bit) & 1)] as number;
    if (next >= 0) node = next;
    else if (~next === endOfString) return invalid;
    else {
      emitted = emits | (~next << symbolShift);
      node = 0;
    }
  }
  return node | emitted;
}

/** The shortest code has five bits. */
function maxDecodedBytes(encodedBytes: number): number {
  return Math.floor((encodedBytes * 8) / 5);
}

let scratch = Buffer.allocUnsafeSlow(1024);

/** @throws {Http2Error} COMPRESSION_ERROR for a bad code, bad padding or the end-of-string symbol. */
export function huffmanDecode(bytes: Buffer, start: number, end: number): string {
  const needed = maxDecodedBytes(end - start);
  const out = needed <= scratch.length ? scratch : Buffer.allocUnsafe(needed);
  if (needed > scratch.length && needed <= 65_536) scratch = out;
  let state = 0;
  let length = 0;
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] as number;
    let next = transitions[state * 16 + (byte >>> 4)] as number;
    if ((next & emits) !== 0) {
      out[length] = next >>> symbolShift;
      length += 1;
    } else if (next === invalid) throw badCode();
    next = transitions[(next & stateMask) * 16 + (byte & 15)] as number;
    if ((next & emits) !== 0) {
      out[length] = next >>> symbolShift;
      length += 1;
    } else if (next === invalid) throw badCode();
    state = next & stateMask;
  }
  if (accepting[state] !== 1) throw badCode();
  return out.toString("latin1", 0, length);
}

function badCode(): Http2Error {
  return new Http2Error(errorCodes.compressionError, "Cannot decode a Huffman string");
}

/** Bytes that `huffmanEncode` will write. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits += codeLengths[text.charCodeAt(index) & 0xff] as number;
  return (bits + 7) >>> 3;
}

/** Writes the code of a Latin-1 string at `offset`; returns the offset behind it. */
export function huffmanEncode(text: string, out: Buffer, offset: number): number {
  let position = offset;
  let held = 0;
  let heldBits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const symbol = text.charCodeAt(index) & 0xff;
    let code = codes[symbol] as number;
    let length = codeLengths[symbol] as number;
    // At most 7 bits are held, so up to 24 more fit into 31 bits; longer codes go in two parts.
    if (length > 24) {
      const high = length - 24;
      held = (held << high) | (code >>> 24);
      heldBits += high;
      while (heldBits >= 8) {
        heldBits -= 8;
        out[position] = (held >>> heldBits) & 0xff;
        position += 1;
      }
      held &= (1 << heldBits) - 1;
      code &= 0xff_ffff;
      length = 24;
    }
    held = (held << length) | code;
    heldBits += length;
    while (heldBits >= 8) {
      heldBits -= 8;
      out[position] = (held >>> heldBits) & 0xff;
      position += 1;
    }
    held &= (1 << heldBits) - 1;
  }
  if (heldBits > 0) {
    out[position] = ((held << (8 - heldBits)) | ((1 << (8 - heldBits)) - 1)) & 0xff;
    position += 1;
  }
  return position;
}
