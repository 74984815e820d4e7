import { describeError, isRecord } from "@talos-ts/base";
import { WireType, type BinaryReader, type BinaryWriter } from "@bufbuild/protobuf/wire";
import { notPlain, readPlain, type Body, type InitOf, type FieldCodec, type Single } from "./field-codec.ts";

/** One field of a message: its protobuf number, its codec, and how it is printed. */
export interface Field<T, I = T> {
  readonly no: number;
  readonly codec: FieldCodec<T, I>;
  /** Printed name, where it differs from the name in code. */
  readonly key: string | undefined;
  readonly printed: "always" | "unless-zero" | "inline";
}

/** Fields of a message by their names. */
export type Fields = Readonly<Record<string, Field<unknown, unknown>>>;

export type MessageValue<F extends Fields> = { readonly [N in keyof F]: F[N]["codec"]["zero"] };

export type MessageInit<F extends Fields> = { readonly [N in keyof F]?: InitOf<F[N]["codec"]> | undefined };

/**
 * Declares a field of a message.
 *
 * @param no Protobuf field number.
 * @param key Name when printed. @default the name of the field
 */
export function field<T, I>(no: number, codec: FieldCodec<T, I>, key?: string): Field<T, I> {
  return { no, codec, key, printed: "always" };
}

/** A field that is printed only when it says something. */
export function omitEmpty<T, I>(no: number, codec: FieldCodec<T, I>, key?: string): Field<T, I> {
  return { no, codec, key, printed: "unless-zero" };
}

/** A message whose fields are printed among those of the message that holds it. */
export function inline<T, I>(no: number, codec: FieldCodec<T, I>): Field<T, I> {
  return { no, codec, key: undefined, printed: "inline" };
}

type Values = Record<string, unknown>;

/** A message codec from its fields, in the order in which they are printed. Absent fields are zero. */
export function message<F extends Fields>(fields: F): MessageCodec<F> {
  const entries = Object.entries(fields);
  const zero: Values = Object.fromEntries(entries.map(([name, { codec }]) => [name, codec.zero]));
  const byNumber = new Map(entries.map(([name, { no, codec }]) => [no, { name, codec }]));

  const codec = body<Values, Readonly<Values>>({
    zero: Object.freeze(zero),
    isZero: (value) => entries.every(([name, { codec }]) => codec.isZero(value[name])),
    fill(init) {
      const value = { ...zero };
      for (const [name, { codec }] of entries) {
        if (init[name] !== undefined) value[name] = codec.fill(init[name]);
      }
      return value;
    },
    toPlain(value) {
      const plain: Values = {};
      for (const [name, { codec, key, printed }] of entries) {
        const item = value[name];
        if (printed === "inline") Object.assign(plain, codec.toPlain(item));
        else if (printed === "always" || !codec.isZero(item)) plain[key ?? name] = codec.toPlain(item);
      }
      return plain;
    },
    fromPlain(plain) {
      if (!isRecord(plain)) throw notPlain("a mapping", plain);
      return Object.fromEntries(
        entries.map(([name, { codec, key = name, printed }]) => {
          const item = printed === "inline" ? plain : plain[key];
          return [name, printed === "inline" ? readPlain(codec, item) : readEntry(codec, key, item)];
        }),
      );
    },
    writeBody(writer, value) {
      for (const [name, { no, codec }] of entries) {
        if (!codec.isZero(value[name])) codec.put(writer, no, value[name]);
      }
    },
    readBody(reader, end) {
      const value = { ...zero };
      readFields(reader, end, (no, wire) => {
        const slot = byNumber.get(no);
        if (slot === undefined) reader.skip(wire, no);
        else value[slot.name] = slot.codec.take(reader, wire, no, value[slot.name]);
      });
      return value;
    },
  });
  // The record of values is built by name; only here do its names become types.
  return { ...codec, fields } as unknown as MessageCodec<F>;
}

/** Spec codec of resources with an empty spec. */
export const nothing: Body<Readonly<Record<string, never>>> & { readonly fields: Fields } = message({});

export interface MessageCodec<F extends Fields> extends Body<MessageValue<F>, MessageInit<F>> {
  readonly fields: F;
  /** Keys that are not known are ignored. */
  readonly fromPlain: (plain: unknown) => MessageValue<F>;
}

/** A message of one field that code and people see as that field's value alone. */
export function wrapped<T, I>(no: number, codec: FieldCodec<T, I>): Body<T, I> & { readonly fields: Fields } {
  const wrapper = body<T, I>({
    zero: codec.zero,
    isZero: (value) => codec.isZero(value),
    fill: (init) => codec.fill(init),
    toPlain: (value) => codec.toPlain(value),
    fromPlain: (plain) => readPlain(codec, plain),
    writeBody(writer, value) {
      if (!codec.isZero(value)) codec.put(writer, no, value);
    },
    readBody(reader, end) {
      let value = codec.zero;
      readFields(reader, end, (actual, wire) => {
        if (actual === no) value = codec.take(reader, wire, no, value);
        else reader.skip(wire, actual);
      });
      return value;
    },
  });
  return { ...wrapper, fields: { value: field(no, codec) } };
}

/** Reads a part of something printed; a failure names the part. */
export function readEntry<T>(codec: FieldCodec<T, unknown>, key: string | number, plain: unknown): T {
  try {
    return readPlain(codec, plain);
  } catch (err) {
    throw new RangeError(`${key}: ${describeError(err)}`, { cause: err });
  }
}

type BodyInit<T, I> = Pick<Body<T, I>, "zero" | "isZero" | "fill" | "toPlain" | "fromPlain" | "writeBody" | "readBody">;

function body<T, I>(init: BodyInit<T, I>): Body<T, I> {
  const write = (writer: BinaryWriter, value: T) => {
    writer.fork();
    init.writeBody(writer, value);
    writer.join();
  };
  const read: Single<T, I>["read"] = (reader) => init.readBody(reader, reader.uint32() + reader.pos);
  return {
    ...init,
    wire: WireType.LengthDelimited,
    write,
    read,
    put(writer, no, value) {
      writer.tag(no, WireType.LengthDelimited);
      write(writer, value);
    },
    take(reader, wire, no, before) {
      if (wire === WireType.LengthDelimited) return read(reader);
      reader.skip(wire, no);
      return before;
    },
  };
}

/** Calls `each` for every field up to `end`. @throws when a field crosses it */
export function readFields(reader: BinaryReader, end: number, each: (no: number, wire: WireType) => void): void {
  if (end > reader.len) throw new RangeError("message is longer than the bytes that hold it");
  while (reader.pos < end) {
    const [no, wire] = reader.tag();
    each(no, wire);
  }
  if (reader.pos !== end) throw new RangeError("field crosses the end of its message");
}
