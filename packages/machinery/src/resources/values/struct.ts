import { WireType, type BinaryReader, type BinaryWriter } from "@bufbuild/protobuf/wire";
import { sortKeys } from "../dsl/collections.ts";
import { readFields } from "../dsl/message.ts";
import { single, type Single } from "../dsl/index.ts";

/** A value of JSON. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** An object of any shape, `google.protobuf.Struct` on the wire. */
export const struct: Single<JsonObject> = single<JsonObject>({
  wire: WireType.LengthDelimited,
  zero: Object.freeze({}),
  isZero: (value) => Object.keys(value).length === 0,
  write: writeStruct,
  read: (reader) => readStruct(reader, maxDepth),
  toPlain: sorted,
});

/** Deeper objects are refused, so that hostile bytes cannot exhaust the stack. */
const maxDepth = 100;

function sorted(value: JsonValue): unknown {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  return isObject(value) ? sortKeys(value, sorted) : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function writeStruct(writer: BinaryWriter, value: JsonObject): void {
  writer.fork();
  for (const [key, item] of Object.entries(value)) {
    // A key that is there without a value is not there.
    if (item === undefined) continue;
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(key);
    writer.tag(2, WireType.LengthDelimited);
    writeValue(writer, item);
    writer.join();
  }
  writer.join();
}

function writeValue(writer: BinaryWriter, value: JsonValue): void {
  writer.fork();
  if (value === null) writer.tag(1, WireType.Varint).int32(0);
  else if (typeof value === "number") writer.tag(2, WireType.Bit64).double(value);
  else if (typeof value === "string") writer.tag(3, WireType.LengthDelimited).string(value);
  else if (typeof value === "boolean") writer.tag(4, WireType.Varint).bool(value);
  else if (isObject(value)) writeStruct(writer.tag(5, WireType.LengthDelimited), value);
  else {
    writer.tag(6, WireType.LengthDelimited).fork();
    for (const item of value) writeValue(writer.tag(1, WireType.LengthDelimited), item);
    writer.join();
  }
  writer.join();
}

function endOf(reader: BinaryReader): number {
  return reader.uint32() + reader.pos;
}

function readStruct(reader: BinaryReader, depth: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  readFields(reader, endOf(reader), (no, wire) => {
    if (no !== 1 || wire !== WireType.LengthDelimited) {
      reader.skip(wire, no);
      return;
    }
    const entry: [string, JsonValue] = ["", null];
    readFields(reader, endOf(reader), (part, partWire) => {
      if (partWire !== WireType.LengthDelimited) reader.skip(partWire, part);
      else if (part === 1) entry[0] = reader.string(true);
      else if (part === 2) entry[1] = readValue(reader, depth);
      else reader.skip(partWire, part);
    });
    entries.push(entry);
  });
  return Object.fromEntries(entries);
}

function readValue(reader: BinaryReader, depth: number): JsonValue {
  if (depth === 0) throw new RangeError(`object is nested deeper than ${maxDepth} levels`);
  let value: JsonValue = null;
  readFields(reader, endOf(reader), (no, wire) => {
    const read = wire === valueWires[no] ? valueReaders[no] : undefined;
    if (read === undefined) reader.skip(wire, no);
    else value = read(reader, depth - 1);
  });
  return value;
}

const valueWires: readonly (WireType | undefined)[] = [
  undefined,
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.Varint,
  WireType.LengthDelimited,
  WireType.LengthDelimited,
];

type ValueReader = (reader: BinaryReader, depth: number) => JsonValue;

/** By field number of `google.protobuf.Value`. */
const valueReaders: readonly (ValueReader | undefined)[] = [
  undefined,
  (reader) => (reader.int32(), null),
  (reader) => reader.double(),
  (reader) => reader.string(true),
  (reader) => reader.bool(),
  readStruct,
  readList,
];

function readList(reader: BinaryReader, depth: number): JsonValue {
  const items: JsonValue[] = [];
  readFields(reader, endOf(reader), (no, wire) => {
    if (no === 1 && wire === WireType.LengthDelimited) items.push(readValue(reader, depth));
    else reader.skip(wire, no);
  });
  return items;
}
