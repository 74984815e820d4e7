import { stringify } from "yaml";

/** Writes a value as YAML with the indentation of the other client, and no line breaks within texts. */
export function formatYaml(value: unknown): string {
  return stringify(value, { indent: 4, lineWidth: 0 });
}
