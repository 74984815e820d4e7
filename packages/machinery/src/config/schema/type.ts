/**
 * The description of a configuration document, from which everything else is derived: TypeScript types, decoding with
 * positions, JSON schema, reference pages, merge rules, redaction, and the encoder.
 *
 * An own description instead of a schema library, because a library sees plain values: it can neither follow go-yaml's
 * reading of scalars (`0644`, `yes`), nor name line and column, nor carry how a field is written, merged and redacted.
 * Here a type is plain data, so each of those is one small function over it.
 *
 * The words are those of JSON Schema: an object has properties, an array has items, a text has a format. Resources, which travel as
 * protobuf messages, are described in the words of protobuf (`resources/dsl`): fields with numbers, lists, maps, structs.
 *
 * Values are YAML values: what a person wrote, in one canonical spelling. A field that is not set, or is set to the zero
 * value of its type, is absent.
 */

import type { Json } from "./json.ts";

/** A scalar as it stands in the source: its text and what go-yaml makes of it when nothing is expected. */
export interface Scalar {
  readonly text: string;
  readonly value: string | number | bigint | boolean | null;
  readonly quoted: boolean;
}

/** Describes how a canonical scalar is written: plain values by their type, `raw` exactly as given. */
export type Printed = string | number | boolean | { readonly raw: string };

export interface ScalarType<T> {
  readonly is: "scalar";
  /** Expected form, for error messages. */
  readonly expected: string;
  /** Reads a scalar into its canonical value; `undefined` stands for the zero value; throws to refuse. */
  readonly parse: (scalar: Scalar) => T | undefined;
  /** A method, not a property: types of all values must fit one list of fields. */
  print(value: T): Printed;
  /** Written where the field must be written although it has no value. */
  readonly zero: Printed | null;
  readonly json: Json;
}

export interface ArrayType<T> {
  readonly is: "array";
  readonly item: Type<unknown>;
  /** Items with equal keys are merged by a patch; of several keys the first one that is set decides. */
  readonly mergeKeys?: readonly string[];
  /** An item with an equal key takes the place of the other one instead of being merged into it. */
  readonly mergeReplaces?: boolean;
  readonly json?: Json;
  readonly phantom?: T;
}

export interface DictionaryType<T> {
  readonly is: "dictionary";
  readonly item: Type<unknown>;
  readonly json?: Json;
  readonly phantom?: T;
}

export interface ObjectType<T> {
  readonly is: "object";
  /** Name in the JSON schema; an object without one is described in place. */
  readonly name: string | undefined;
  readonly doc: string;
  readonly fields: Readonly<Record<string, Property<unknown>>>;
  /** True when a value stands for nothing although a field is set; only looked at where `inlineStruct` is. */
  isZero?(value: T): boolean;
  readonly json?: Json;
  readonly phantom?: T;
}

/** A free mapping handed on to somebody else (a kubelet configuration, a pod). */
export interface AnyType<T> {
  readonly is: "any";
  readonly json?: Json;
  readonly phantom?: T;
}

/** A command line argument: one string, or a list of strings. */
export interface ArgumentType<T> {
  readonly is: "argument";
  readonly phantom?: T;
}

export type Type<T> = ScalarType<T> | ArrayType<T> | DictionaryType<T> | ObjectType<T> | AnyType<T> | ArgumentType<T>;

export interface PropertyOptions {
  /** Written even without a value. */
  readonly always?: boolean;
  /** Written when set to an empty list although other empty lists are left out (documented output only). */
  readonly keepEmpty?: boolean;
  /** Absent reads as an empty object, and an empty object is written like an absent one. */
  readonly inlineStruct?: boolean;
  /** A patch replaces the value instead of merging into it. */
  readonly replace?: boolean;
  /** Never shown; a function hides only part of the value. */
  readonly secret?: boolean | ((value: string, replacement: string) => string);
  /** Why the field should no longer be used and what to use; such fields are not in the JSON schema. */
  readonly deprecated?: string;
  /** Still read, but left out of the JSON schema and the reference. */
  readonly hidden?: boolean;
  readonly required?: boolean;
  readonly example?: unknown;
  /** Default value, for the reference. */
  readonly default?: string;
}

export interface Property<T> extends PropertyOptions {
  readonly type: Type<T>;
  readonly doc: string;
}

export type Infer<S> =
  S extends Property<infer T>
    ? T
    : S extends ScalarType<infer T>
      ? T
      : S extends { readonly phantom?: infer T }
        ? Exclude<T, undefined>
        : never;

type Fields = Readonly<Record<string, Property<unknown>>>;
type ObjectValue<F extends Fields> = { readonly [K in keyof F]?: Infer<F[K]["type"]> | undefined };

export type Unstructured = { readonly [key: string]: unknown };

/**
 * Describes one property of an object.
 *
 * @param doc A sentence for reference pages and the JSON schema.
 */
export function property<S extends Type<unknown>>(
  type: S,
  doc: string,
  options: PropertyOptions = {},
): Property<Infer<S>> & { readonly type: S } {
  return { ...options, type, doc } as Property<Infer<S>> & { readonly type: S };
}

/** @param name Name in the JSON schema; an object without one is described in place. */
export function object<F extends Fields>(name: string | undefined, doc: string, fields: F): ObjectType<ObjectValue<F>> {
  return { is: "object", name, doc, fields };
}

export function array<S extends Type<unknown>>(
  item: S,
  options: Pick<ArrayType<unknown>, "mergeKeys" | "mergeReplaces" | "json"> = {},
): ArrayType<readonly Infer<S>[]> {
  return { is: "array", item, ...options };
}

export function dictionary<S extends Type<unknown>>(
  item: S,
  json?: Json,
): DictionaryType<Readonly<Record<string, Infer<S>>>> {
  return { is: "dictionary", item, ...(json === undefined ? {} : { json }) };
}

export const any: AnyType<Unstructured> = { is: "any", json: { type: "object" } };

export const argument: ArgumentType<string | readonly string[]> = { is: "argument" };
