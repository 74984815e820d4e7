import { WireType } from "@bufbuild/protobuf/wire";
import { notPlain, single, type Single } from "./field-codec.ts";

/** Reads whole numbers of a range. */
function whole(from: number, to: number): (plain: unknown) => number {
  return (plain) => {
    if (Number.isInteger(plain) && Number(plain) >= from && Number(plain) <= to) return Number(plain);
    throw notPlain(`a whole number from ${from} to ${to}`, plain);
  };
}

/** A protobuf `string`. */
export const text: Single<string> = single({
  wire: WireType.LengthDelimited,
  zero: "",
  write: (writer, value) => writer.string(value),
  read: (reader) => reader.string(true),
});

/** A protobuf `bool`. */
export const bool: Single<boolean> = single({
  wire: WireType.Varint,
  zero: false,
  write: (writer, value) => writer.bool(value),
  read: (reader) => reader.bool(),
});

/** A protobuf `int32`. */
export const int32: Single<number> = single({
  wire: WireType.Varint,
  zero: 0,
  write: (writer, value) => writer.int32(value),
  read: (reader) => reader.int32(),
  fromPlain: whole(-(2 ** 31), 2 ** 31 - 1),
});

/** A protobuf `uint32`. */
export const uint32: Single<number> = single({
  wire: WireType.Varint,
  zero: 0,
  write: (writer, value) => writer.uint32(value),
  read: (reader) => reader.uint32(),
  fromPlain: whole(0, 2 ** 32 - 1),
});

/** Whole numbers of 64 bits are `number` in code: nothing here counts beyond 2^53, and what does is rounded. */
export const int64: Single<number> = single({
  wire: WireType.Varint,
  zero: 0,
  write: (writer, value) => writer.int64(BigInt.asIntN(64, BigInt(value))),
  read: (reader) => Number(reader.int64()),
  fromPlain: whole(-(2 ** 63), 2 ** 63),
});

/** @see int64 */
export const uint64: Single<number> = single({
  wire: WireType.Varint,
  zero: 0,
  write: (writer, value) => writer.uint64(BigInt.asUintN(64, BigInt(value))),
  read: (reader) => Number(reader.uint64()),
  fromPlain: whole(0, 2 ** 64),
});

/** A protobuf `double`. */
export const double: Single<number> = single({
  wire: WireType.Bit64,
  zero: 0,
  write: (writer, value) => writer.double(value),
  read: (reader) => reader.double(),
});

/** Bytes, printed as the list of their values. */
export const bytes: Single<Uint8Array> = single({
  wire: WireType.LengthDelimited,
  zero: new Uint8Array(0),
  write: (writer, value) => writer.bytes(value),
  read: (reader) => new Uint8Array(reader.bytes()),
  isZero: (value) => value.length === 0,
  toPlain: (value) => [...value],
});
