import type { Tree } from "./emit.ts";

/** The tree of a plain value: mappings (objects or maps, which keep their order), lists and scalars. Absent members are left out. */
export function plainTree(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(plainTree);
  if (typeof value !== "object" || value === null) return value as Tree;
  const entries = value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : Object.entries(value);
  const present = entries.filter(([, item]) => item !== undefined);
  return { entries: present.map(([key, item]) => ({ key: String(key), value: plainTree(item) })) };
}
