/**
 * Strict reading of DER (X.690) from bytes nobody vouches for.
 *
 * Indefinite lengths, padded lengths, high tag numbers and trailing bytes are refused with `crypto/bad-der`, so what
 * is read has exactly one encoding. Nothing recurses on its own: callers descend as deep as their grammar goes.
 */

import { tags } from "./der-tags.ts";
import { cryptoError } from "../errors.ts";

export interface DerElement {
  readonly tag: number;
  readonly body: Buffer;
  /** The whole element: header and body. */
  readonly raw: Buffer;
}

/** Walks over the elements of one body in order. */
export interface DerReader {
  readonly done: boolean;
  /** The tag of the next element, or `undefined` at the end. */
  readonly peek: number | undefined;
  /** The next element of whatever tag. */
  next(): DerElement;
  /** The next element, which must have `tag`; `what` names it in the error. */
  expect(tag: number, what: string): DerElement;
  /** The next element if it has `tag`. */
  optional(tag: number): DerElement | undefined;
  /** Refuses anything left over. */
  end(what: string): void;
}

const bad = (message: string): Error => cryptoError("crypto/bad-der", message);
const hex = (tag: number | undefined): string => (tag === undefined ? "end of data" : `0x${tag.toString(16)}`);

export function readDer(bytes: Uint8Array): DerReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;

  const next = (): DerElement => {
    const element = elementAt(buffer, offset);
    offset += element.raw.length;
    return element;
  };

  return {
    get done() {
      return offset === buffer.length;
    },
    get peek() {
      return buffer[offset];
    },
    next,
    expect(tag, what) {
      if (buffer[offset] !== tag) throw bad(`Expected ${what} (tag ${hex(tag)}), found ${hex(buffer[offset])}`);
      return next();
    },
    optional: (tag) => (buffer[offset] === tag ? next() : undefined),
    end(what) {
      if (offset !== buffer.length) throw bad(`${buffer.length - offset} bytes left over after ${what}`);
    },
  };
}

/** The one element that fills `bytes`, which must have `tag`. */
export function readSingle(bytes: Uint8Array, tag: number, what: string): DerElement {
  const reader = readDer(bytes);
  const element = reader.expect(tag, what);
  reader.end(what);
  return element;
}

function elementAt(buffer: Buffer, offset: number): DerElement {
  const tag = buffer[offset];
  const first = buffer[offset + 1];
  if (tag === undefined || first === undefined) throw bad("Element header is cut off");
  if ((tag & 0x1f) === 0x1f) throw bad("Tag numbers above 30 are not used in X.509");
  let start = offset + 2;
  let length = first;
  if (first >= 0x80) {
    const size = first & 0x7f;
    if (size === 0 || size > 4) throw bad(`Length of ${size} octets is not valid`);
    if (start + size > buffer.length) throw bad("Element length is cut off");
    length = buffer.readUIntBE(start, size);
    if (length < 0x80 || length < 2 ** (8 * (size - 1))) throw bad("Length is not minimal");
    start += size;
  }
  const end = start + length;
  if (end > buffer.length) throw bad(`Element of ${length} bytes exceeds the ${buffer.length - start} available`);
  return { tag, body: buffer.subarray(start, end), raw: buffer.subarray(offset, end) };
}

export function readBoolean(element: DerElement): boolean {
  const value = element.body[0];
  if (element.body.length !== 1 || (value !== 0x00 && value !== 0xff)) throw bad("Boolean is neither 0x00 nor 0xff");
  return value === 0xff;
}

/** A non-negative integer. */
export function readUnsignedInteger(element: DerElement): bigint {
  const [first, second] = element.body;
  if (first === undefined) throw bad("Integer is empty");
  if (first >= 0x80) throw bad("Integer is negative");
  if (first === 0 && second !== undefined && second < 0x80) throw bad("Integer is not minimal");
  return BigInt(`0x${element.body.toString("hex")}`);
}

/** The bytes of a bit string that has no unused bits. */
export function readBitString(element: DerElement): Buffer {
  if (element.body[0] !== 0) throw bad("Bit string does not end at a byte");
  return element.body.subarray(1);
}

/** The numbers of the bits that are set, most significant first. */
export function readNamedBits(element: DerElement): number[] {
  const unused = element.body[0];
  if (unused === undefined || unused > 7 || (unused > 0 && element.body.length === 1))
    throw bad("Bit list is malformed");
  const bytes = element.body.subarray(1);
  return Array.from({ length: bytes.length * 8 - unused }, (_, bit) => bit).filter(
    (bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0,
  );
}

/** An object identifier in dotted form. */
export function readOid(element: DerElement): string {
  const { body } = element;
  if (body.length === 0 || body.length > 64 || (body.at(-1) ?? 0) >= 0x80) throw bad("Object identifier is malformed");
  const arcs: bigint[] = [];
  let arc = 0n;
  let fresh = true;
  for (const byte of body) {
    if (fresh && byte === 0x80) throw bad("Object identifier is not minimal");
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    fresh = byte < 0x80;
    if (fresh) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  const [head = 0n, ...rest] = arcs;
  const first = head < 80n ? head / 40n : 2n;
  return [first, head - first * 40n, ...rest].join(".");
}

const encodings: Readonly<Record<number, BufferEncoding>> = {
  [tags.utf8String]: "utf8",
  [tags.printableString]: "latin1",
  [tags.ia5String]: "latin1",
  [tags.teletexString]: "latin1",
};

/** Text of any of the string types directory names use. */
export function readString(element: DerElement): string {
  if (element.tag === tags.bmpString) {
    if (element.body.length % 2 !== 0) throw bad("BMPString has an odd length");
    return Buffer.from(element.body).swap16().toString("utf16le");
  }
  const encoding = encodings[element.tag];
  if (encoding === undefined) throw bad(`Tag ${hex(element.tag)} is not a string`);
  return element.body.toString(encoding);
}

const timePatterns: Readonly<Record<number, RegExp>> = {
  [tags.utcTime]: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
  [tags.generalizedTime]: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
};

/** UTCTime (1950 to 2049) or GeneralizedTime, both in the form RFC 5280 allows. */
export function readTime(element: DerElement): Date {
  const text = element.body.toString("latin1");
  const match = timePatterns[element.tag]?.exec(text);
  if (match === undefined || match === null) throw bad(`"${text}" is not a time`);
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  const century = element.tag === tags.utcTime ? (year < 50 ? 2000 : 1900) : 0;
  const date = new Date(0);
  date.setUTCFullYear(year + century, month - 1, day);
  date.setUTCHours(hours, minutes, seconds);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hours > 23 || minutes > 59 || seconds > 59) {
    throw bad(`"${text}" is not a date of the calendar`);
  }
  return date;
}
