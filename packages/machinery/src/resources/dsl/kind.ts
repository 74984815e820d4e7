import type { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * A kind of value in a spec: how it looks in code (`T`), how it travels as a protobuf field, how it is printed.
 *
 * `I` is what a caller may write to make one; it differs from `T` where parts may be left out.
 */
export interface Kind<T, I = T> {
  /** The value of a field that was never set. Shared, so it must never be changed. */
  readonly zero: T;
  isZero(value: T): boolean;
  fill(init: I): T;
  put(writer: BinaryWriter, no: number, value: T): void;
  /** Reads one occurrence of the field; `before` is the value so far, which repeated fields add to. */
  take(reader: BinaryReader, wire: WireType, no: number, before: T): T;
  toPlain(value: T): unknown;
}

/** A kind whose value is one payload, so that lists and maps can hold it. */
export interface Single<T, I = T> extends Kind<T, I> {
  readonly wire: WireType;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
}

/** A kind that is a whole protobuf message: what a spec must be. */
export interface Body<T, I = T> extends Single<T, I> {
  writeBody(writer: BinaryWriter, value: T): void;
  readBody(reader: BinaryReader, end: number): T;
}

export type ValueOf<K extends Kind<unknown, unknown>> = K["zero"];

export type InitOf<K> = K extends { fill(init: infer I): unknown } ? I : never;

interface SingleInit<T> {
  readonly wire: WireType;
  readonly zero: T;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
  isZero?(value: T): boolean;
  toPlain?(value: T): unknown;
}

export function single<T>(init: SingleInit<T>): Single<T> {
  const { wire, zero } = init;
  return {
    wire,
    zero,
    write: (writer, value) => init.write(writer, value),
    read: (reader) => init.read(reader),
    isZero: (value) => init.isZero?.(value) ?? value === zero,
    fill: (value) => value,
    toPlain: (value) => (init.toPlain === undefined ? value : init.toPlain(value)),
    put(writer, no, value) {
      writer.tag(no, wire);
      init.write(writer, value);
    },
    take(reader, actual, no, before) {
      if (actual === wire) return init.read(reader);
      reader.skip(actual, no);
      return before;
    },
  };
}

interface ConvertInit<A, T> {
  readonly zero: T;
  from(travelling: A): T;
  to(value: T): A;
  isZero?(value: T): boolean;
  toPlain?(value: T): unknown;
}

/** A kind that travels as another one. */
export function convert<A, T>(base: Single<A, unknown>, init: ConvertInit<A, T>): Single<T> {
  return single<T>({
    ...init,
    wire: base.wire,
    write: (writer, value) => base.write(writer, init.to(value)),
    read: (reader) => init.from(base.read(reader)),
  });
}

/** The same kind, printed differently. */
export function printedAs<T>(base: Single<T>, toPlain: (value: T) => unknown): Single<T> {
  return { ...base, toPlain };
}
