import { stringify } from "yaml";

/**
 * A spec as people read it. Strings that YAML 1.1 would take for something else are quoted, because that is what the Go
 * programs at the other end parse; nothing is folded, so that every value stays on its line.
 */
export function specYaml(plain: unknown): string {
  return plain === undefined
    ? ""
    : stringify(plain, { version: "1.1", indent: 4, lineWidth: 0, aliasDuplicateObjects: false });
}
