import { isTable, type TomlTable, type TomlValue } from "./value.ts";

/** Lays documents over each other: tables are joined, lists grow, everything else is replaced by the later one. */
export function mergeToml(...documents: readonly TomlTable[]): TomlTable {
  const merged: Record<string, TomlValue> = {};
  for (const document of documents) {
    for (const [key, value] of Object.entries(document)) {
      Object.defineProperty(merged, key, {
        value: mergeValues(Object.hasOwn(merged, key) ? merged[key] : undefined, value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return merged;
}

function mergeValues(below: TomlValue | undefined, above: TomlValue): TomlValue {
  if (isTable(below) && isTable(above)) return mergeToml(below, above);
  if (Array.isArray(below) && Array.isArray(above)) return [...(below as TomlValue[]), ...(above as TomlValue[])];
  return above;
}
