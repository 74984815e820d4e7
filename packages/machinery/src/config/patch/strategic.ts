import { OsError } from "@talos-ts/base";
import { makeConfig, makeDocument, type Config, type ConfigDocument } from "../config.ts";
import { deleteFrom } from "./delete-value.ts";
import type { Deletion } from "./deletion.ts";
import { merge } from "./merge.ts";
import type { StrategicPatch } from "./patch.ts";

/**
 * Documents of the same kind and name are merged, others are added behind.
 *
 * @throws {OsError} `config/patch-delete`, `config/patch-mismatch`, or a conflict between the documents
 */
export function applyStrategic(config: Config, patch: StrategicPatch): Config {
  const documents = [...config.documents];
  for (const step of patch.steps) {
    if ("schema" in step) mergeDocument(documents, step);
    else deleteFromDocuments(documents, step);
  }
  return makeConfig(documents, { origin: config.origin });
}

function mergeDocument(documents: ConfigDocument[], patch: ConfigDocument): void {
  const index = documents.findIndex((document) => document.kind === patch.kind && document.name === patch.name);
  const target = documents[index];
  if (target === undefined) documents.push(patch);
  else documents[index] = changed(target, merge(target.schema.type, target.value, patch.value));
}

function deleteFromDocuments(documents: ConfigDocument[], deletion: Deletion): void {
  const index = documents.findIndex((document) => document.kind === deletion.kind && document.name === deletion.name);
  const target = documents[index];
  if (target === undefined) {
    const name = deletion.name === "" ? "" : `/${deletion.name}`;
    throw new OsError({
      kind: "invalid-argument",
      code: "config/patch-delete",
      message: `patch delete: path '${deletion.path.join(".")}' in document '${deletion.apiVersion}/${deletion.kind}${name}': lookup failed`,
    });
  }
  if (deletion.path.length === 0) documents.splice(index, 1);
  else documents[index] = changed(target, deleteFrom(target, deletion));
}

/** Keeps where the document came from, so that comments can be kept and places still be found. */
export function changed(document: ConfigDocument, value: unknown): ConfigDocument {
  return { ...makeDocument(document.schema, value, document.locate), origin: document.origin };
}
