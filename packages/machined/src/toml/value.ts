/** Describes what TOML can say, without dates: nothing configured here has any. */
export type TomlValue = string | number | bigint | boolean | readonly TomlValue[] | TomlTable;

export interface TomlTable {
  readonly [key: string]: TomlValue;
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}
