import type { Field } from "../field.ts";
import { DynamicTable } from "./dynamic-table.ts";
import { huffmanEncode, huffmanLength } from "./huffman.ts";
import { maxIntegerBytes, writeInteger } from "./integer.ts";
import { staticIndexByField, staticIndexByName, staticTable } from "./static-table.ts";

/** Fields whose values are secrets: intermediaries must not compress them (RFC 7541 section 7.1.3). */
const sensitive = new Set(["authorization", "cookie", "proxy-authorization", "set-cookie", "token"]);

/**
 * Fields whose values hardly repeat and would only push others out of the table: one is there, for the sake of its name, and those
 * that come twice in a row.
 */
const volatile = new Set([
  "content-length",
  "date",
  "grpc-message",
  "grpc-status-details-bin",
  "grpc-timeout",
  "traceparent",
  "x-request-id",
]);

/** Values longer than this are not worth a place in a table of 4 KiB. */
const maxIndexedLength = 512;

const patterns = { literal: 0x00, neverIndexed: 0x10, resize: 0x20, incremental: 0x40, indexed: 0x80 } as const;

/** Encodes header blocks of one connection, in the order in which they are sent. */
export class HpackEncoder {
  readonly #table: DynamicTable;
  /** Number of the newest entry by name, then by value. */
  readonly #known = new Map<string, Map<string, number>>();
  /** Last values of volatile fields, by name. */
  readonly #lastValues = new Map<string, string>();
  #smallestBytes: number | undefined;

  constructor(tableBytes = 4096) {
    this.#table = new DynamicTable(tableBytes, (field, number) => this.#forget(field, number));
  }

  /** The peer's SETTINGS_HEADER_TABLE_SIZE; more than 4 096 bytes are never used. */
  setTableBytes(bytes: number): void {
    const size = Math.min(bytes, 4096);
    if (size === this.#table.maxBytes) return;
    this.#table.resize(size);
    this.#smallestBytes = Math.min(this.#smallestBytes ?? size, size);
  }

  /** Upper bound of the bytes that `encode` writes for these fields. */
  static bound(fields: readonly Field[]): number {
    let bytes = 2 * maxIntegerBytes;
    for (const { name, value } of fields) bytes += name.length + value.length + 3 * maxIntegerBytes;
    return bytes;
  }

  /** Writes a header block at `offset`, for which there is room; returns the offset behind it. */
  encode(fields: readonly Field[], out: Buffer, offset: number): number {
    let position = offset;
    if (this.#smallestBytes !== undefined) position = this.#writeResize(out, position);
    for (const field of fields) position = this.#encodeField(field, out, position);
    return position;
  }

  #writeResize(out: Buffer, offset: number): number {
    const { maxBytes } = this.#table;
    const smallest = this.#smallestBytes ?? maxBytes;
    this.#smallestBytes = undefined;
    const position = smallest < maxBytes ? writeInteger(out, offset, patterns.resize, 5, smallest) : offset;
    return writeInteger(out, position, patterns.resize, 5, maxBytes);
  }

  #encodeField(field: Field, out: Buffer, offset: number): number {
    // The same objects come again with every call: no need to look their text up.
    if (field.encoder === this && this.#table.has(field.encoderEntry)) {
      return writeInteger(out, offset, patterns.indexed, 7, this.#indexOf(field.encoderEntry));
    }
    const { name, value } = field;
    const staticIndex = staticIndexByField.get(name)?.get(value);
    if (staticIndex !== undefined) return writeInteger(out, offset, patterns.indexed, 7, staticIndex);
    const values = this.#known.get(name);
    const number = values?.get(value);
    if (number !== undefined) {
      field.encoder = this;
      field.encoderEntry = number;
      return writeInteger(out, offset, patterns.indexed, 7, this.#indexOf(number));
    }

    const nameIndex = staticIndexByName.get(name) ?? this.#nameIndex(values);
    if (sensitive.has(name)) return writeLiteral(out, offset, patterns.neverIndexed, 4, nameIndex, field);
    const isVolatile = volatile.has(name) && nameIndex > 0 && !this.#comesAgain(field);
    if (isVolatile || value.length > maxIndexedLength || field.size > this.#table.maxBytes) {
      return writeLiteral(out, offset, patterns.literal, 4, nameIndex, field);
    }
    const position = writeLiteral(out, offset, patterns.incremental, 6, nameIndex, field);
    this.#table.insert(field);
    this.#remember(field);
    field.encoder = this;
    field.encoderEntry = this.#table.newest;
    return position;
  }

  /** Tells whether a field has the value that it had the last time. */
  #comesAgain({ name, value }: Field): boolean {
    if (this.#lastValues.get(name) === value) return true;
    this.#lastValues.set(name, value);
    return false;
  }

  #indexOf(number: number): number {
    return staticTable.length + 1 + this.#table.newest - number;
  }

  #nameIndex(values: ReadonlyMap<string, number> | undefined): number {
    if (values === undefined) return 0;
    for (const number of values.values()) return this.#indexOf(number);
    return 0;
  }

  #remember({ name, value }: Field): void {
    const values = this.#known.get(name);
    if (values === undefined) this.#known.set(name, new Map([[value, this.#table.newest]]));
    else values.set(value, this.#table.newest);
  }

  #forget({ name, value }: Field, number: number): void {
    const values = this.#known.get(name);
    if (values?.get(value) !== number) return;
    values.delete(value);
    if (values.size === 0) this.#known.delete(name);
  }
}

function writeLiteral(
  out: Buffer,
  offset: number,
  pattern: number,
  prefixBits: number,
  nameIndex: number,
  { name, value }: Field,
): number {
  let position = writeInteger(out, offset, pattern, prefixBits, nameIndex);
  if (nameIndex === 0) position = writeText(out, position, name);
  return writeText(out, position, value);
}

function writeText(out: Buffer, offset: number, text: string): number {
  const length = huffmanLength(text);
  if (length < text.length) return huffmanEncode(text, out, writeInteger(out, offset, 0x80, 7, length));
  const position = writeInteger(out, offset, 0, 7, text.length);
  return position + out.write(text, position, "latin1");
}
