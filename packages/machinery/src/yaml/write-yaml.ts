import { emit } from "./emit.ts";
import { plainTree } from "./plain-tree.ts";

/**
 * Writes a plain value as the Go programs of the ecosystem do: indented by four, children of list items at the next multiple of
 * it, strings quoted where YAML 1.1 would take them for something else.
 *
 * @param plain Mappings, lists and scalars; nothing at all gives no text.
 */
export function writeYaml(plain: unknown): string {
  return plain === undefined ? "" : emit(plainTree(plain));
}
