/**
 * Merges a part of a document into another one, by the types of the fields:
 *
 * | type | result |
 * |---|---|
 * | scalar | the patch |
 * | list | both, one after the other; with merge keys, items with equal keys merged; `replace`: the patch |
 * | map, object | merged key by key |
 * | free mapping | merged key by key, lists joined; `replace`: the patch |
 *
 * What the patch does not set stays as it is.
 */

import { isDeepStrictEqual } from "node:util";
import { OsError } from "@talos-ts/base";
import { formatPath, type Path } from "../load/problem.ts";
import type { Property, ArrayType, Type } from "../schema/type.ts";

type Values = Readonly<Record<string, unknown>>;

/** @throws {OsError} `config/patch-mismatch` when free mappings do not fit together */
export function merge(type: Type<unknown>, left: unknown, right: unknown, path: Path = []): unknown {
  if (right === undefined) return left;
  if (left === undefined) return right;
  if (type.is === "object") return mergeObjects(type.fields, left as Values, right as Values, path);
  if (type.is === "dictionary") return mergeMaps(type.item, left as Values, right as Values, path);
  if (type.is === "array") return mergeLists(type, left as readonly unknown[], right as readonly unknown[], path);
  return type.is === "any" ? mergeAny(left, right, path) : right;
}

function mergeObjects(
  fields: Readonly<Record<string, Property<unknown>>>,
  left: Values,
  right: Values,
  path: Path,
): Values {
  const merged: Record<string, unknown> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const field = fields[key];
    if (field === undefined || value === undefined) continue;
    merged[key] = field.replace === true ? value : merge(field.type, left[key], value, [...path, key]);
  }
  return merged;
}

function mergeMaps(item: Type<unknown>, left: Values, right: Values, path: Path): Values {
  const added = Object.entries(right).map(([key, value]) => {
    if (!Object.hasOwn(left, key)) return [key, value] as const;
    const unset = item.is === "scalar" && value === item.zero && typeof value !== "boolean";
    return [key, unset ? left[key] : merge(item, left[key], value, [...path, key])] as const;
  });
  return Object.fromEntries([...Object.entries(left), ...added]);
}

function mergeLists(
  type: ArrayType<unknown>,
  left: readonly unknown[],
  right: readonly unknown[],
  path: Path,
): unknown {
  const keys = type.mergeKeys;
  if (keys === undefined) return [...left, ...right];
  const merged = [...left];
  for (const item of right) {
    const index = merged.findIndex((other) => hasSameKey(keys, other as object, item as object));
    if (index < 0) merged.push(item);
    else merged[index] = type.mergeReplaces === true ? item : merge(type.item, merged[index], item, [...path, index]);
  }
  return merged;
}

/** A single key compares even when it is absent; of several, the first one that is set decides. */
export function hasSameKey(keys: readonly string[], left: object, right: object): boolean {
  const key = keys.length === 1 ? keys[0] : keys.find((name) => (right as Values)[name] !== undefined);
  return key !== undefined && isDeepStrictEqual((left as Values)[key], (right as Values)[key]);
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "mapping" : typeof value;
}

function mergeAny(left: unknown, right: unknown, path: Path): unknown {
  if (right === null || right === undefined) return left;
  if (left === null || left === undefined) return right;
  if (nameOf(left) !== nameOf(right)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "config/patch-mismatch",
      message: `merge type mismatch left ${nameOf(left)} right ${nameOf(right)} at ${formatPath(path)}`,
    });
  }
  if (Array.isArray(left)) return [...(left as unknown[]), ...(right as unknown[])];
  if (typeof left !== "object") return right === 0 || right === "" ? left : right;
  const added = Object.entries(right).map(([key, value]) => {
    return [key, mergeAny((left as Values)[key], value, [...path, key])] as const;
  });
  return Object.fromEntries([...Object.entries(left), ...added]);
}
