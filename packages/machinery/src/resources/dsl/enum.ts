import { convert, notPlain, type Single } from "./field-codec.ts";
import { int32, uint32 } from "./scalars.ts";

/** A name of the table, or `Name(7)` for a number this version has no name for. */
export type EnumText<N extends string, T> = (keyof T & string) | `${N}(${number})`;

/** A closed set of names with numbers; the numbers are those of the wire and mostly those of the kernel. */
export interface EnumCodec<V extends string> extends Single<V> {
  readonly table: Readonly<Record<string, number>>;
  toNumber(value: V): number;
  fromNumber(value: number): V;
}

/** Declares an enum: names as they are printed, and their protobuf numbers. */
export function enumOf<const N extends string, const T extends Readonly<Record<string, number>>>(
  name: N,
  table: T,
): EnumCodec<EnumText<N, T>> {
  type V = EnumText<N, T>;
  const names = new Map(Object.entries(table).map(([text, number]) => [number, text as V]));
  const fromNumber = (value: number): V => names.get(value) ?? `${name}(${value})`;
  const toNumber = (value: V): number => table[value] ?? unnamed(name, value);
  const codec = convert(int32, {
    zero: fromNumber(0),
    from: fromNumber,
    to: toNumber,
    isZero: (value) => toNumber(value) === 0,
  });
  return { ...codec, table, toNumber, fromNumber };
}

function unnamed(name: string, value: string): number {
  const digits = value.startsWith(`${name}(`) ? value.slice(name.length + 1, -1) : "";
  const number = digits === "" ? Number.NaN : Number(digits);
  if (!Number.isInteger(number)) throw new RangeError(`"${value}" is not a ${name}`);
  return number;
}

/** A set of named bits: a list of names in code, joined by commas in print, one number on the wire. */
export interface FlagsCodec<V extends string> extends Single<readonly V[]> {
  readonly table: Readonly<Record<string, number>>;
  toNumber(value: readonly V[]): number;
  /** Bits without a name are dropped. */
  fromNumber(value: number): readonly V[];
}

/** Declares a set of bits: names as they are printed, and their masks. */
export function flagsOf<const T extends Readonly<Record<string, number>>>(table: T): FlagsCodec<keyof T & string> {
  type V = keyof T & string;
  const names = Object.keys(table) as V[];
  const none: readonly V[] = Object.freeze([]);
  const fromNumber = (value: number) => names.filter((name) => ((table[name] ?? 0) & value) !== 0);
  const toNumber = (value: readonly V[]) => value.reduce((bits, name) => bits | (table[name] ?? 0), 0) >>> 0;
  const codec = convert(uint32, {
    zero: none,
    from: fromNumber,
    to: toNumber,
    isZero: (value) => value.length === 0,
    toPlain: (value) => fromNumber(toNumber(value)).join(","),
    fromPlain(plain) {
      const words = typeof plain === "string" ? plain.split(",").filter((word) => word !== "") : [plain];
      const unknown = words.find((word) => !(names as unknown[]).includes(word));
      if (unknown !== undefined) throw notPlain(`some of ${names.join(", ")}`, plain);
      return words.length === 0 ? none : (words as V[]);
    },
  });
  return { ...codec, table, toNumber, fromNumber };
}
