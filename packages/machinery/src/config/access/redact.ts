/** Takes secrets out of a configuration, so that it can be shown. */

import { makeConfig, makeDocument, type Config } from "../config.ts";
import type { Property, Type } from "../schema/type.ts";

type Values = Readonly<Record<string, unknown>>;

/** Every field marked as secret, in every document, holds `replacement` instead of its value. */
export function redactConfig(config: Config, replacement: string): Config {
  return makeConfig(
    config.documents.map((document) =>
      makeDocument(document.schema, redact(document.schema.type, document.value, replacement), document.locate),
    ),
  );
}

function redact(type: Type<unknown>, value: unknown, replacement: string): unknown {
  if (type.is === "array") return (value as readonly unknown[]).map((item) => redact(type.item, item, replacement));
  if (type.is === "dictionary") return mapValues(value as Values, (item) => redact(type.item, item, replacement));
  if (type.is !== "object") return value;
  return mapValues(value as Values, (item, key) => redactField(type.fields[key], item, replacement));
}

function redactField(field: Property<unknown> | undefined, value: unknown, replacement: string): unknown {
  if (field === undefined || value === undefined) return value;
  if (typeof field.secret === "function") return field.secret(String(value), replacement);
  return field.secret === true ? replacement : redact(field.type, value, replacement);
}

function mapValues(values: Values, change: (value: unknown, key: string) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}
