import { isTable, type TomlTable, type TomlValue } from "./value.ts";

/** Writes a document: plain values first, then tables, each in the order they came. */
export function renderToml(table: TomlTable): string {
  return renderTable(table, []).join("\n").replace(/^\n+/, "") + "\n";
}

function renderTable(table: TomlTable, path: readonly string[], heading?: string): readonly string[] {
  const entries = Object.entries(table);
  const plain = entries.filter(([, value]) => !isTable(value) && !isTableList(value));
  const own = plain.map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`);
  const below = entries.flatMap(([key, value]) => {
    const name = [...path, key];
    if (isTable(value)) return renderTable(value, name);
    if (!isTableList(value)) return [];
    return value.flatMap((item) => renderTable(item, name, `[[${dotted(name)}]]`));
  });
  if (path.length === 0) return [...own, ...below];
  // A table that only holds tables needs no heading of its own, unless it would be lost.
  const needed = own.length > 0 || entries.length === 0 || heading !== undefined;
  return [...(needed ? ["", heading ?? `[${dotted(path)}]`] : []), ...own, ...below];
}

function dotted(path: readonly string[]): string {
  return path.map(renderKey).join(".");
}

function isTableList(value: TomlValue): value is readonly TomlTable[] {
  return Array.isArray(value) && value.length > 0 && (value as readonly TomlValue[]).every((item) => isTable(item));
}

function renderKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : renderString(key);
}

function renderString(text: string): string {
  // JSON escapes are TOML escapes, all but the one for the last control character, which JSON lets stand.
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function renderValue(value: TomlValue): string {
  if (typeof value === "string") return renderString(value);
  if (Array.isArray(value)) return `[${(value as readonly TomlValue[]).map(renderValue).join(", ")}]`;
  if (isTable(value)) {
    const pairs = Object.entries(value).map(([key, item]) => `${renderKey(key)} = ${renderValue(item)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  if (typeof value !== "number" || Number.isInteger(value)) return String(value);
  return Number.isFinite(value) ? String(value) : String(value).toLowerCase().replace("infinity", "inf");
}
