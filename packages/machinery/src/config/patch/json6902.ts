import { isDeepStrictEqual } from "node:util";
import { isRecord, OsError } from "@talos-ts/base";
import { applyPatch, type Operation } from "rfc6902";
import { makeConfig, type Config, type ConfigDocument } from "../config.ts";
import { encodeDocument } from "../encode/encode.ts";
import { toTree } from "../encode/to-tree.ts";
import { loadConfig } from "../load/load.ts";
import { emit, type Tree } from "../../yaml/emit.ts";
import { plainTree } from "../../yaml/plain-tree.ts";
import { resolveScalar } from "../../yaml/resolve-scalar.ts";
import type { JsonPatch } from "./patch.ts";
import { changed } from "./strategic.ts";

/**
 * @throws {OsError} `config/patch-multidoc` when there is more than one document, `config/patch-failed` when an operation does
 * not apply, or whatever is wrong with the result
 */
export function applyJson6902(config: Config, patch: JsonPatch): Config {
  const [document, ...more] = config.documents;
  if (document === undefined || more.length > 0) {
    throw new OsError({
      kind: "invalid-argument",
      code: "config/patch-multidoc",
      message: "JSON6902 patches are not supported for multi-document machine configuration",
      next: "write the change as a strategic merge patch",
    });
  }
  const target = plain(
    toTree(document.schema.type, document.value, { docs: false, examples: false, render: () => [] }),
  );
  const failures = applyPatch(target, [...patch.operations]).flatMap((error, index) =>
    error === null ? [] : [explain(patch.operations[index], error)],
  );
  if (failures.length > 0) {
    throw new OsError({
      kind: "invalid-argument",
      code: "config/patch-failed",
      message: `failure applying rfc6902 patches to talos machine config: ${failures.join("; ")}`,
    });
  }
  return changedBy(config, document, target);
}

/** A document that stays what it is keeps its origin; what only came from writing it down is undone. */
function changedBy(config: Config, document: ConfigDocument, target: unknown): Config {
  const loaded = loadConfig(emit(plainTree(target)));
  const [result, ...more] = loaded.documents;
  if (result?.schema !== document.schema || more.length > 0) return makeConfig(loaded.documents);
  const rewritten = loadConfig(encodeDocument(document)).documents[0]?.value;
  const value = withUntouched(document.value, rewritten, result.value);
  return makeConfig([changed(document, value)], { origin: config.origin });
}

/** `after`, with what is equal to `rewritten` as it is in `before`; an empty list, for one, is left out in writing. */
function withUntouched(before: unknown, rewritten: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(rewritten, after)) return before;
  const all = [before, rewritten, after];
  if (all.every(Array.isArray)) {
    const [old, written, items] = all as [unknown[], unknown[], unknown[]];
    return old.length === written.length
      ? items.map((item, index) => withUntouched(old[index], written[index], item))
      : items;
  }
  if (!all.every(isRecord)) return after;
  const [old = {}, written = {}, values = {}] = all;
  return Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(values)])]
      .map((key) => [key, withUntouched(old[key], written[key], values[key])] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function plain(tree: Tree): unknown {
  if (Array.isArray(tree)) return tree.map(plain);
  if (typeof tree !== "object" || tree === null) return tree;
  if ("raw" in tree) return resolveScalar(tree.raw);
  if (!("entries" in tree)) return tree;
  return Object.fromEntries(
    (tree as { entries: readonly { key: string; value: Tree }[] }).entries.map(({ key, value }) => [key, plain(value)]),
  );
}

function explain(operation: Operation | undefined, error: Error): string {
  if (operation?.op === "test") return `testing value ${operation.path} failed: test failed`;
  return `error in ${operation?.op} for path: '${operation?.path}': ${error.message}`;
}
