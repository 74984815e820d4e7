/** Reads a YAML node by its type, collecting every problem on the way instead of stopping at the first. */

import { nearest } from "@talos-ts/base";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { ObjectType, ScalarType, Type } from "../schema/type.ts";
import type { Path } from "./problem.ts";
import { isNull, readScalar, type Reader, type Report } from "./reader.ts";

export interface DecodeContext {
  readonly reader: Reader;
  readonly report: Report;
  /** True when what is read here is secret: problems do not quote it. */
  readonly secret?: boolean;
}

/** More of a value helps nobody to find it. */
const longestQuote = 60;

/** @returns the canonical value, or `undefined` when there is none */
export function decode(type: Type<unknown>, given: Node | null, path: Path, context: DecodeContext): unknown {
  const node = context.reader.follow(given, path);
  if (node === null || isNull(node)) return undefined;
  switch (type.is) {
    case "scalar":
      return decodeScalar(type, node, path, context);
    case "array":
      return decodeList(type.item, node, path, context);
    case "dictionary":
      return decodeMap(type.item, node, path, context);
    case "object":
      return decodeObject(type, node, path, context);
    case "any":
      return decodeAny(node, path, context);
    case "argument":
    default:
      return decodeArgument(node, path, context);
  }
}

function nameOf(node: Node, secret: boolean): string {
  if (isMap(node)) return "a mapping";
  if (isSeq(node)) return "a list";
  if (!isScalar(node)) return "an alias";
  if (secret) return "something else";
  const text = String(node.value);
  return JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);
}

function mismatch(expected: string, node: Node, path: Path, context: DecodeContext, why = ""): undefined {
  const { report, secret = false } = context;
  const reason = secret ? "" : why;
  report(
    "config/wrong-type",
    node,
    path,
    `expected ${expected}, got ${nameOf(node, secret)}${reason === "" ? "" : ` (${reason})`}`,
  );
}

function decodeScalar(type: ScalarType<unknown>, node: Node, path: Path, context: DecodeContext): unknown {
  const scalar = readScalar(node);
  if (scalar === undefined) return mismatch(type.expected, node, path, context);
  try {
    return type.parse(scalar);
  } catch (error) {
    return mismatch(type.expected, node, path, context, error instanceof Error ? error.message : "");
  }
}

function decodeList(item: Type<unknown>, node: Node, path: Path, context: DecodeContext): unknown {
  if (!isSeq(node)) return mismatch("a list", node, path, context);
  const values: unknown[] = [];
  for (const [index, child] of (node.items as Node[]).entries()) {
    const at = [...path, index];
    const value = decode(item, child, at, context);
    if (value !== undefined) values.push(value);
    else if (item.is === "scalar" && !isNull(child)) values.push(item.zero);
    else if (item.is !== "scalar" && isNull(child))
      context.report("config/null-item", child, at, "expected a value, got an empty list item");
  }
  return values;
}

function decodeMap(item: Type<unknown>, node: Node, path: Path, context: DecodeContext): unknown {
  if (!isMap(node)) return mismatch("a mapping", node, path, context);
  const values: [string, unknown][] = [];
  for (const { key, keyNode, value: child } of context.reader.entries(node, path)) {
    const at = [...path, key];
    const value = decode(item, child, at, context);
    if (value !== undefined) values.push([key, value]);
    else if (item.is === "scalar" || item.is === "argument")
      values.push([key, item.is === "scalar" ? (item.zero ?? false) : ""]);
    else if (isNull(child)) context.report("config/null-item", keyNode, at, "expected a value, got null");
  }
  return Object.fromEntries(values);
}

function decodeObject(type: ObjectType<unknown>, node: Node, path: Path, context: DecodeContext): unknown {
  if (!isMap(node)) return mismatch("a mapping", node, path, context);
  const values: Record<string, unknown> = {};
  for (const { key, keyNode, value: child } of context.reader.entries(node, path)) {
    const known = Object.hasOwn(type.fields, key) ? type.fields[key] : undefined;
    if (known === undefined) {
      const near = nearest(key, Object.keys(type.fields));
      const hint = near === undefined ? "" : `, did you mean ${JSON.stringify(near)}?`;
      context.report("config/unknown-key", keyNode, [...path, key], `unknown key ${JSON.stringify(key)}${hint}`);
      continue;
    }
    const inner = known.secret === undefined ? context : { ...context, secret: true };
    const value = decode(known.type, child, [...path, key], inner);
    if (value !== undefined && !(known.inlineStruct === true && isZero(known.type, value))) values[key] = value;
  }
  return values;
}

function isZero(type: Type<unknown>, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(value).length === 0 || (type.is === "object" && type.isZero?.(value) === true);
}

function decodeArgument(node: Node, path: Path, context: DecodeContext): unknown {
  const scalar = readScalar(node);
  if (scalar !== undefined) return scalar.text;
  if (!isSeq(node)) return mismatch("a string or a list of strings", node, path, context);
  return (node.items as Node[]).map((child, index) => {
    const item = readScalar(context.reader.follow(child, [...path, index]) ?? node);
    if (item === undefined) mismatch("a string", child, [...path, index], context);
    return item?.text ?? "";
  });
}

function decodeAny(node: Node, path: Path, context: DecodeContext): unknown {
  if (isMap(node)) return anyValue(node, path, context);
  return mismatch("a mapping", node, path, context);
}

/** A free value, read as go-yaml reads what nothing is expected of. */
export function anyValue(given: Node | null, path: Path, context: DecodeContext): unknown {
  const node = context.reader.follow(given, path);
  if (node === null) return null;
  if (isSeq(node)) return (node.items as Node[]).map((item, index) => anyValue(item, [...path, index], context));
  if (isMap(node)) {
    return Object.fromEntries(
      context.reader
        .entries(node, path)
        .map(({ key, value }) => [key, anyValue(value, [...path, key], context)] as const),
    );
  }
  return readScalar(node)?.value ?? null;
}
