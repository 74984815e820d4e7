import type { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * Codec of a value in a spec: its form in code (`T`), its encoding as a protobuf field, and its printed form.
 *
 * `I` is what a caller may write to make one; it differs from `T` where parts may be left out.
 */
export interface FieldCodec<T, I = T> {
  /** The value of a field that was never set. Shared, so it must never be changed. */
  readonly zero: T;
  isZero(value: T): boolean;
  fill(init: I): T;
  put(writer: BinaryWriter, no: number, value: T): void;
  /** Reads one occurrence of the field; `before` is the value so far, which repeated fields add to. */
  take(reader: BinaryReader, wire: WireType, no: number, before: T): T;
  toPlain(value: T): unknown;
  /**
   * The value behind what `toPlain` gave; absent where print does not tell all of it.
   *
   * @throws RangeError when it is no value of this codec
   */
  readonly fromPlain?: ((plain: unknown) => T) | undefined;
}

/** Reads a printed value back; what is not printed is zero. */
export function readPlain<T>(codec: FieldCodec<T, unknown>, plain: unknown): T {
  if (plain === null || plain === undefined) return codec.zero;
  if (codec.fromPlain === undefined) throw new RangeError("it is printed without all it says");
  return codec.fromPlain(plain);
}

/** A reader of values that are printed as they are: text, numbers, yes or no. */
function asPrinted<T>(zero: T): ((plain: unknown) => T) | undefined {
  if (typeof zero === "object") return undefined;
  return (plain) => {
    if (typeof plain === typeof zero) return plain as T;
    throw notPlain(typeof zero, plain);
  };
}

export function notPlain(expected: string, plain: unknown): RangeError {
  return new RangeError(`expected ${expected}, got ${JSON.stringify(plain)}`);
}

/** A codec whose value is one payload, so that lists and maps can hold it. */
export interface Single<T, I = T> extends FieldCodec<T, I> {
  readonly wire: WireType;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
}

/** A codec of a whole protobuf message, which every spec is. */
export interface Body<T, I = T> extends Single<T, I> {
  writeBody(writer: BinaryWriter, value: T): void;
  readBody(reader: BinaryReader, end: number): T;
}

/** Value of a codec. */
export type ValueOf<K extends FieldCodec<unknown, unknown>> = K["zero"];

/** Initializer type of a codec. */
export type InitOf<K> = K extends { fill(init: infer I): unknown } ? I : never;

interface SingleInit<T> {
  readonly wire: WireType;
  readonly zero: T;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
  isZero?(value: T): boolean;
  toPlain?(value: T): unknown;
  /** @default as printed, unless `toPlain` prints it otherwise */
  readonly fromPlain?: ((plain: unknown) => T) | undefined;
}

/** Makes the codec of a value that is one protobuf field. */
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
    fromPlain: init.fromPlain ?? (init.toPlain === undefined ? asPrinted(zero) : undefined),
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
  /** @default as printed, unless `toPlain` prints it otherwise */
  readonly fromPlain?: ((plain: unknown) => T) | undefined;
}

/** A codec that travels as another one. */
export function convert<A, T>(base: Single<A, unknown>, init: ConvertInit<A, T>): Single<T> {
  const read = init.fromPlain ?? (init.toPlain === undefined ? asPrinted(init.zero) : undefined);
  const checked = (plain: unknown, reader: (plain: unknown) => T): T => {
    const value = reader(plain);
    // What cannot travel is no value of the codec.
    init.to(value);
    return value;
  };
  return single<T>({
    ...init,
    fromPlain: read && ((plain) => checked(plain, read)),
    wire: base.wire,
    write: (writer, value) => base.write(writer, init.to(value)),
    read: (reader) => init.from(base.read(reader)),
  });
}

/** The same codec, printed differently, and for reading only. */
export function printedAs<T>(base: Single<T>, toPlain: (value: T) => unknown): Single<T> {
  return { ...base, toPlain, fromPlain: undefined };
}
