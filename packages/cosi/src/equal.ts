import type { Labels, Metadata, Resource } from "./resource.ts";

/**
 * Reports whether two resources say the same. Times do not count, and neither does the order of finalizers: both differ without
 * anybody having changed anything.
 */
export function equalResources(a: Resource, b: Resource): boolean {
  return a === b || (equalMetadata(a.metadata, b.metadata) && equalSpecs(a.spec, b.spec));
}

function equalMetadata(a: Metadata, b: Metadata): boolean {
  return (
    a === b ||
    (a.id === b.id &&
      a.type === b.type &&
      a.namespace === b.namespace &&
      a.version === b.version &&
      a.phase === b.phase &&
      a.owner === b.owner &&
      equalLabels(a.labels, b.labels) &&
      equalLabels(a.annotations, b.annotations) &&
      equalSets(a.finalizers, b.finalizers))
  );
}

/**
 * Structural equality of plain data: scalars, arrays, bytes, dates, maps, sets and objects by their own enumerable keys.
 * A key that is `undefined` equals a key that is missing, as it does on the wire.
 */
export function equalSpecs(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof Map) return b instanceof Map && equalMaps(a, b);
  if (a instanceof Set) return b instanceof Set && a.size === b.size && a.isSubsetOf(b);
  return Object.getPrototypeOf(a) === Object.getPrototypeOf(b) && equalObjects(a, b);
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => equalSpecs(value, b[index]));
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

function equalMaps(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (!b.has(key) || !equalSpecs(value, b.get(key))) return false;
  }
  return true;
}

function equalObjects(a: object, b: object): boolean {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(left)) {
    if (!equalSpecs(left[key], right[key])) return false;
  }
  for (const key of Object.keys(right)) {
    if (right[key] !== undefined && !(key in left)) return false;
  }
  return true;
}

function equalLabels(a: Labels, b: Labels): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function equalSets(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every((value) => b.includes(value)) && b.every((value) => a.includes(value));
}
