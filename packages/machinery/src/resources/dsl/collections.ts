import { isRecord } from "@talos-ts/base";
import { WireType } from "@bufbuild/protobuf/wire";
import { notPlain, readPlain, type FieldCodec, type Single } from "./field-codec.ts";
import { readEntry } from "./message.ts";
import { compareKeys } from "../../yaml/key-order.ts";
import { text } from "./scalars.ts";

/** A value that may be absent, which is not the same as zero. Printed as null where it is printed at all. */
export function optional<T, I>(codec: Single<T, I>): FieldCodec<T | undefined, I | undefined> {
  return {
    zero: undefined,
    isZero: (value) => value === undefined,
    fill: (init) => (init === undefined ? undefined : codec.fill(init)),
    put(writer, no, value) {
      if (value !== undefined) codec.put(writer, no, value);
    },
    take(reader, wire, no, before) {
      if (wire === codec.wire) return codec.read(reader);
      reader.skip(wire, no);
      return before;
    },
    toPlain: (value) => (value === undefined ? null : codec.toPlain(value)),
    fromPlain: (plain) => readPlain(codec, plain),
  };
}

/** A repeated field. Numbers are written packed and read both ways. */
export function list<T, I>(of: Single<T, I>): FieldCodec<readonly T[], readonly I[]> {
  const zero: readonly T[] = Object.freeze([]);
  const packed = of.wire !== WireType.LengthDelimited;
  return {
    zero,
    isZero: (value) => value.length === 0,
    fill: (init) => init.map((item) => of.fill(item)),
    put(writer, no, value) {
      if (!packed) {
        for (const item of value) of.put(writer, no, item);
        return;
      }
      writer.tag(no, WireType.LengthDelimited).fork();
      for (const item of value) of.write(writer, item);
      writer.join();
    },
    take(reader, wire, no, before) {
      const items = before === zero ? [] : (before as T[]);
      if (wire === of.wire) items.push(of.read(reader));
      else if (packed && wire === WireType.LengthDelimited) {
        for (const end = reader.uint32() + reader.pos; reader.pos < end;) items.push(of.read(reader));
      } else reader.skip(wire, no);
      return items.length === 0 ? zero : items;
    },
    toPlain: (value) => value.map((item) => of.toPlain(item)),
    fromPlain(plain) {
      if (!Array.isArray(plain)) throw notPlain("a list", plain);
      return plain.length === 0 ? zero : plain.map((item, index) => readEntry(of, index, item));
    },
  };
}

/** A map from text. Printed in the order Go's YAML prints maps. */
export function map<T, I>(of: Single<T, I>): FieldCodec<Readonly<Record<string, T>>, Readonly<Record<string, I>>> {
  const zero: Readonly<Record<string, T>> = Object.freeze({});
  return {
    zero,
    isZero: (value) => Object.keys(value).length === 0,
    fill: (init) => Object.fromEntries(Object.entries(init).map(([key, item]) => [key, of.fill(item)])),
    put(writer, no, value) {
      for (const [key, item] of Object.entries(value)) {
        writer.tag(no, WireType.LengthDelimited).fork();
        text.put(writer, 1, key);
        of.put(writer, 2, item);
        writer.join();
      }
    },
    take(reader, wire, no, before) {
      if (wire !== WireType.LengthDelimited) {
        reader.skip(wire, no);
        return before;
      }
      let key = "";
      let item = of.zero;
      for (const end = reader.uint32() + reader.pos; reader.pos < end;) {
        const [part, partWire] = reader.tag();
        if (part === 1) key = text.take(reader, partWire, part, key);
        else if (part === 2) item = of.take(reader, partWire, part, item);
        else reader.skip(partWire, part);
      }
      // A literal with a computed key, unlike an assignment, is safe for a key such as `__proto__`.
      return { ...before, [key]: item };
    },
    toPlain: (value) => sortKeys(value, (item) => of.toPlain(item)),
    fromPlain(plain) {
      if (!isRecord(plain)) throw notPlain("a mapping", plain);
      return Object.fromEntries(Object.entries(plain).map(([key, item]) => [key, readEntry(of, key, item)]));
    },
  };
}

/** A copy with its keys in printing order. */
export function sortKeys<T>(value: Readonly<Record<string, T>>, each: (item: T) => unknown): Record<string, unknown> {
  const entries = Object.entries(value).sort(([a], [b]) => compareKeys(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, each(item)]));
}
