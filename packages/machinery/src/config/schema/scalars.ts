/** The scalar types every document is made of. How go-yaml reads a scalar into a typed Go field is what decides here. */

import type { Json } from "./json.ts";
import type { Scalar, ScalarType } from "./type.ts";

/** Any scalar is its own text when a string is asked for. */
function text(scalar: Scalar): string | undefined {
  return scalar.value === null ? undefined : scalar.text;
}

export interface StringOptions {
  /** Values named by the JSON schema; others are still read and left to validation. */
  readonly values?: readonly string[];
  readonly json?: Json;
}

export function string(options: StringOptions = {}): ScalarType<string> {
  return {
    is: "scalar",
    expected: "a string",
    parse: (scalar) => text(scalar) || undefined,
    print: (value) => value,
    zero: "",
    json: options.json ?? (options.values === undefined ? { type: "string" } : { enum: options.values }),
  };
}

/** A string where the empty one is a value of its own, as in maps of labels. */
export const label: ScalarType<string> = {
  ...string(),
  parse: (scalar) => text(scalar) ?? "",
};

/** Words go-yaml takes for a truth value where one is expected. */
const words: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(["y", "Y", "yes", "on"].map((word) => [word, true])),
  ...Object.fromEntries(["n", "N", "no", "off"].map((word) => [word, false])),
};

export const boolean: ScalarType<boolean> = {
  is: "scalar",
  expected: "true or false",
  parse: (scalar) => {
    if (typeof scalar.value === "boolean") return scalar.value;
    const word = typeof scalar.value === "string" ? words[scalar.value] : undefined;
    if (word === undefined) throw new Error("not a boolean");
    return word;
  },
  print: (value) => value,
  // Not the same as false, which is a value of its own.
  zero: null,
  json: { type: "boolean" },
};

/** A truth value that is absent when false. */
export const flag: ScalarType<boolean> = {
  ...boolean,
  zero: false,
  parse: (scalar) => boolean.parse(scalar) || undefined,
};

export interface IntegerOptions {
  readonly min?: number;
  readonly max?: number;
  /** Zero is a value of its own and not the same as absent. */
  readonly keepZero?: boolean;
}

export function integer(options: IntegerOptions = {}): ScalarType<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  return {
    is: "scalar",
    expected:
      options.min === undefined && options.max === undefined ? "an integer" : `an integer from ${min} to ${max}`,
    parse: (scalar) => {
      const { value } = scalar;
      if (typeof value !== "number" || !Number.isInteger(value)) throw new Error("not an integer");
      if (value < min || value > max) throw new Error("out of range");
      return value === 0 && options.keepZero !== true ? undefined : value;
    },
    print: (value) => value,
    zero: 0,
    json: { type: "integer" },
  };
}

const uintMax = { uint8: 0xff, uint16: 0xffff, uint32: 0xffff_ffff, uint64: Number.MAX_SAFE_INTEGER } as const;

export function unsigned(
  size: keyof typeof uintMax,
  options: { readonly keepZero?: boolean } = {},
): ScalarType<number> {
  return integer({ ...options, min: 0, max: uintMax[size] });
}

/** A closed set of words, in any case; anything else does not load. */
export function choice<const V extends readonly string[]>(
  goName: string,
  values: V,
  options: {
    /** The word that is the same as leaving the field out. */
    readonly zero?: V[number];
    readonly json?: Json;
  } = {},
): ScalarType<V[number]> {
  return {
    is: "scalar",
    expected: `one of ${values.join(", ")}`,
    parse: (scalar) => {
      const word = text(scalar);
      if (word === undefined) return undefined;
      const found = values.find((value) => value === word.toLowerCase());
      if (found === undefined) throw new Error(`${word} does not belong to ${goName} values`);
      return found === options.zero ? undefined : found;
    },
    print: (value) => value,
    zero: options.zero ?? "",
    json: options.json ?? { enum: values },
  };
}

/** A string with a form of its own; `canonical` throws when the text does not have it. */
export function formatted(expected: string, canonical: (text: string) => string, json: Json): ScalarType<string> {
  return {
    is: "scalar",
    expected,
    parse: (scalar) => {
      const value = text(scalar);
      return value === undefined || value === "" ? undefined : canonical(value);
    },
    print: (value) => value,
    zero: "",
    json,
  };
}
