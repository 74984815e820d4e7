import { evaluate, type JsonPathOptions } from "./evaluate.ts";
import { formatResult } from "./format.ts";
import { parseTemplate } from "./parse.ts";

/** A template of the kind kubectl knows: text with paths in braces, `{.addresses[*]}`. */
export interface JsonPath {
  /** The results of each part of the template. @throws {OsError} when a path does not fit the value */
  find(value: unknown, options?: JsonPathOptions): readonly (readonly unknown[])[];
  /** The template filled in: results of one part are separated by spaces, parts by nothing. */
  format(value: unknown, options?: JsonPathOptions): string;
}

/** @throws {OsError} when the template cannot be read */
export function parseJsonPath(template: string): JsonPath {
  const parts = parseTemplate(template);
  return {
    find: (value, options = {}) => evaluate(parts, value, options),
    format: (value, options = {}) =>
      evaluate(parts, value, options)
        .map((results) => results.map((result) => formatResult(result)).join(" "))
        .join(""),
  };
}

export type { JsonPathOptions } from "./evaluate.ts";
export { formatResult } from "./format.ts";
