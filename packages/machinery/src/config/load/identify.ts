/** Finds out what kind a document is before it is read. */

import { nearest } from "@talos-ts/base";
import type { DocumentSchema } from "../schema/document.ts";
import { documentKinds, findDocument } from "../documents/index.ts";
import type { Entry } from "./reader.ts";
import { readScalar } from "./reader.ts";

export interface DocumentId {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Keys only the main document has, which has no kind. */
const mainKeys = new Set(["machine", "cluster", "debug", "persist"]);

export function identify(entries: readonly Entry[]): DocumentId {
  return {
    apiVersion: textOf(entries, "apiVersion"),
    kind: textOf(entries, "kind") || "v1alpha1",
    name: textOf(entries, "name"),
  };
}

function textOf(entries: readonly Entry[], key: string): string {
  const value = entries.find((entry) => entry.key === key)?.value ?? null;
  const scalar = value === null ? undefined : readScalar(value);
  return scalar === undefined || scalar.value === null ? "" : scalar.text;
}

/** @returns the schema, or the sentence that says why there is none */
export function chooseSchema(entries: readonly Entry[]): DocumentSchema | string {
  const kind = textOf(entries, "kind");
  const version = entries.some((entry) => mainKeys.has(entry.key)) ? "v1alpha1" : textOf(entries, "apiVersion");
  if (kind === "" && version === "v1alpha1") return findDocument("v1alpha1") ?? "missing kind";
  if (kind === "") return "missing kind";
  if (version === "") return "missing apiVersion";
  const schema = kind === "v1alpha1" ? undefined : findDocument(kind);
  if (schema !== undefined && version === "v1alpha1") return schema;
  const near = schema === undefined ? nearest(kind, documentKinds()) : undefined;
  const hint =
    near !== undefined ? `, did you mean ${near}?` : schema !== undefined ? ", expected apiVersion v1alpha1" : "";
  return `${JSON.stringify(kind)} ${JSON.stringify(version)}: not registered${hint}`;
}
