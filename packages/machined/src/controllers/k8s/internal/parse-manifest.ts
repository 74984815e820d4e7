import { isRecord, OsError } from "@talos-ts/base";
import type { KubernetesObject } from "@talos-ts/kubernetes";
import { parseAllDocuments } from "yaml";

/** Objects of a YAML text with several documents; empty documents are skipped, and a `List` stands for its items. */
export function parseManifest(text: string, source: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(text);
  const objects: KubernetesObject[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error !== undefined) throw bad(source, error.message, error);
    const value: unknown = document.toJS();
    if (value === null || value === undefined) continue;
    for (const item of itemsOf(value)) objects.push(checked(item, source));
  }
  return objects;
}

function itemsOf(value: unknown): readonly unknown[] {
  if (!isRecord(value) || value["kind"] !== "List" || !Array.isArray(value["items"])) return [value];
  return value["items"] as readonly unknown[];
}

function checked(value: unknown, source: string): KubernetesObject {
  if (!isRecord(value)) throw bad(source, "a document is not a mapping");
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string")
    throw bad(source, "an object has no apiVersion or kind");
  if (!isRecord(metadata) || typeof metadata["name"] !== "string") throw bad(source, `a ${kind} has no metadata.name`);
  return value as unknown as KubernetesObject;
}

function bad(source: string, problem: string, cause?: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "k8s/bad-manifest",
    message: `error parsing manifest ${source}: ${problem}`,
    next: "talosctl get extramanifestsconfigs -o yaml",
    cause,
  });
}
