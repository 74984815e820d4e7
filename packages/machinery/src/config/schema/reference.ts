/** The reference pages, one per document kind. */

import type { DocumentSchema } from "./document.ts";
import { isPublished } from "./json-schema.ts";
import type { Property, ObjectType, Type } from "./type.ts";

/** @param example YAML shown at the top */
export function referencePage(schema: DocumentSchema, example: string): string {
  const title = schema.kind === "v1alpha1" ? "v1alpha1 (main document)" : schema.kind;
  const sections: string[] = [];
  collectSections("", schema.type, sections, new Set());
  return [`# ${title}`, "", schema.type.doc, "", "```yaml", example.trimEnd(), "```", "", ...sections].join("\n");
}

/** @param pages kind and first sentence, in order */
export function referenceIndex(schemas: readonly DocumentSchema[], fileOf: (schema: DocumentSchema) => string): string {
  const rows = schemas.map((schema) => `| [${schema.kind}](${fileOf(schema)}) | ${schema.type.doc} |`);
  return ["# Configuration documents", "", "| kind | purpose |", "|---|---|", ...rows, ""].join("\n");
}

function collectSections(path: string, type: ObjectType<unknown>, sections: string[], seen: Set<string>): void {
  const fields = Object.entries(type.fields);
  if (fields.length > 0) sections.push(...section(path, type, fields));
  for (const [key, field] of fields) {
    const inner = nestedObject(field.type);
    if (inner === undefined) continue;
    const name = inner.type.name ?? `${path}.${key}`;
    if (seen.has(name)) continue;
    seen.add(name);
    collectSections(`${path === "" ? "" : `${path}.`}${key}${inner.suffix}`, inner.type, sections, seen);
  }
}

function section(
  path: string,
  type: ObjectType<unknown>,
  fields: readonly (readonly [string, Property<unknown>])[],
): string[] {
  const heading = path === "" ? [] : [`## ${path}`, "", type.doc, ""];
  const rows = fields.filter(([, field]) => field.hidden !== true).map(([key, field]) => row(key, field));
  return [...heading, "| field | type | description |", "|---|---|---|", ...rows, ""];
}

function row(key: string, field: Property<unknown>): string {
  const notes = [
    field.doc,
    field.default === undefined ? "" : `Default: ${field.default}.`,
    isPublished(field) ? "" : `**Deprecated:** ${field.deprecated ?? ""}.`,
  ];
  const text = notes.filter((note) => note !== "").join(" ");
  return `| \`${key}\` | ${typeName(field.type)} | ${text.replaceAll("|", "\\|")} |`;
}

function typeName(type: Type<unknown>): string {
  switch (type.is) {
    case "scalar":
      return type.expected.replace(/^an? /, "").replaceAll("|", "\\|");
    case "array":
      return `list of ${typeName(type.item)}`;
    case "dictionary":
      return `map of ${typeName(type.item)}`;
    case "argument":
      return "string or list of strings";
    case "any":
    case "object":
    default:
      return "object";
  }
}

function nestedObject(
  type: Type<unknown>,
): { readonly type: ObjectType<unknown>; readonly suffix: string } | undefined {
  if (type.is === "object") return { type, suffix: "" };
  if (type.is === "array" && type.item.is === "object") return { type: type.item, suffix: "[]" };
  return type.is === "dictionary" && type.item.is === "object" ? { type: type.item, suffix: "{}" } : undefined;
}
