/** Values by their type: which keys and items they have, and what is written for them. */

import { toTree } from "../encode/to-tree.ts";
import type { Type } from "../schema/type.ts";
import type { Tree } from "../../yaml/emit.ts";

export type Values = Readonly<Record<string, unknown>>;

/** The type of what stands under a key, or of the items of a list. */
export function innerType(type: Type<unknown>, key?: string): Type<unknown> {
  if (type.is === "dictionary" || type.is === "array") return type.item;
  return type.is === "object" && key !== undefined ? (type.fields[key]?.type ?? type) : type;
}

/** The keys of two values, in the order of the type, or as they come where it has none. */
export function keysOf(type: Type<unknown>, before: Values, after: Values): readonly string[] {
  return type.is === "object"
    ? Object.keys(type.fields)
    : [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/** Returns what is set and nothing else: other than in a canonical document, nothing is written that has no value. */
export function treeOf(type: Type<unknown>, value: unknown): Tree {
  if (type.is === "array") return (value as readonly unknown[]).map((item) => treeOf(type.item, item));
  if (type.is !== "object" && type.is !== "dictionary")
    return toTree(type, value, { docs: false, examples: false, render: () => [] });
  const values = value as Values;
  const keys = keysOf(type, values, values).filter((key) => values[key] !== undefined);
  return { entries: keys.map((key) => ({ key, value: treeOf(innerType(type, key), values[key]) })) };
}
