import type { Config } from "../config.ts";
import type { DocumentSchema } from "../schema/document.ts";

/** All documents of a kind, typed: `documentsOf(config, bondConfig)`. */
export function documentsOf<T>(config: Config, schema: DocumentSchema<T>): readonly T[] {
  return config.documents.filter((document) => document.kind === schema.kind).map((document) => document.value as T);
}

/** The document of a kind of which there is at most one. */
export function documentOf<T>(config: Config, schema: DocumentSchema<T>): T | undefined {
  return documentsOf(config, schema)[0];
}
