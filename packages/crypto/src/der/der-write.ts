/** Writing of DER (X.690): each function returns one complete element. */

import { tags } from "./der-tags.ts";

export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), encodeLength(body.length), body]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = encodeBase256(BigInt(length));
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function encodeBase256(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(tags.sequence, ...items);

/** `SET OF`, whose elements DER wants sorted by their encoding. */
export const setOf = (...items: readonly Uint8Array[]): Buffer =>
  element(tags.set, ...items.toSorted((left, right) => Buffer.compare(left, right)));

export const boolean = (value: boolean): Buffer => element(tags.boolean, Buffer.from([value ? 0xff : 0x00]));

/** A non-negative integer given as big-endian bytes; leading zeros are normalised. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first === -1) return element(tags.integer, Buffer.from([0]));
  const significant = bytes.subarray(first);
  const sign = (significant[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0);
  return element(tags.integer, sign, significant);
}

export const integer = (value: bigint): Buffer => unsignedInteger(encodeBase256(value));

export const octetString = (bytes: Uint8Array): Buffer => element(tags.octetString, bytes);

/** A bit string of whole bytes. */
export const bitString = (bytes: Uint8Array): Buffer => element(tags.bitString, Buffer.from([0]), bytes);

/** A named bit list: bit 0 is the most significant, and trailing zero bits are dropped as DER demands. */
export function namedBits(bits: Iterable<number>): Buffer {
  const set = [...bits];
  if (set.length === 0) return element(tags.bitString, Buffer.from([0]));
  const highest = Math.max(...set);
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const bit of set) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return element(tags.bitString, Buffer.from([7 - (highest & 7)]), bytes);
}

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt);
  const arcs = [first * 40n + second, ...rest];
  return element(tags.oid, Buffer.from(arcs.flatMap(encodeArc)));
}

function encodeArc(arc: bigint): number[] {
  const digits = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) digits.unshift(Number(rest & 0x7fn) | 0x80);
  return digits;
}

const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** A directory string: PrintableString where the alphabet allows it, UTF8String otherwise. */
export const directoryString = (text: string): Buffer =>
  element(printable.test(text) ? tags.printableString : tags.utf8String, Buffer.from(text, "utf8"));

/** UTCTime before 2050 and GeneralizedTime from then on, as RFC 5280 4.1.2.5 demands; milliseconds are cut off. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? element(tags.utcTime, Buffer.from(digits.slice(2), "latin1"))
    : element(tags.generalizedTime, Buffer.from(digits, "latin1"));
}

/** `[number] EXPLICIT`: wraps complete elements. */
export const explicit = (number: number, ...contents: readonly Uint8Array[]): Buffer =>
  element(tags.contextConstructed | number, ...contents);

/** `[number] IMPLICIT` of a primitive type: the contents without their own tag. */
export const implicit = (number: number, contents: Uint8Array): Buffer =>
  element(tags.contextPrimitive | number, contents);
