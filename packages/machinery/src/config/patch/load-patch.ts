/** Reads patches and finds out of which kind they are. */

import { readFileSync } from "node:fs";
import { OsError } from "@talos-ts/base";
import type { Operation } from "rfc6902";
import type { ConfigDocument } from "../config.ts";
import { anyValue } from "../load/decode.ts";
import { describeProblems, readConfig } from "../load/load.ts";
import { createReader } from "../load/reader.ts";
import { parseSource } from "../../yaml/source.ts";
import type { Deletion } from "./deletion.ts";
import type { Patch } from "./patch.ts";

/**
 * A part of a configuration is a strategic merge patch; a list, in JSON or YAML, holds operations of RFC 6902.
 *
 * @throws {OsError} `config/bad-patch` with what is wrong with the more likely reading
 */
export function loadPatch(text: string): Patch {
  const { documents, deletions, problems } = readConfig(text, { allowDeletions: true });
  if (problems.length === 0 && (documents.length > 0 || deletions.length > 0)) {
    return { kind: "strategic", steps: inOrder(documents, deletions) };
  }
  const operations = readOperations(text);
  if (operations !== undefined) return { kind: "json6902", operations };
  throw new OsError({
    kind: "invalid-argument",
    code: "config/bad-patch",
    message: describeProblems(problems),
    details: { problems },
  });
}

/** Returns what concerns the main document first, its deletions before it; then the rest as written. */
function inOrder(
  documents: readonly ConfigDocument[],
  deletions: readonly { readonly before: number; readonly deletion: Deletion }[],
): readonly (Deletion | ConfigDocument)[] {
  const written = documents.flatMap((document, index) => [
    ...deletions.filter(({ before }) => before === index).map(({ deletion }) => deletion),
    document,
  ]);
  const last = deletions.filter(({ before }) => before === documents.length).map(({ deletion }) => deletion);
  const steps = [...written, ...last];
  const rank = (step: Deletion | ConfigDocument): number => (step.kind !== "v1alpha1" ? 2 : "schema" in step ? 1 : 0);
  return steps.toSorted((left, right) => rank(left) - rank(right));
}

function readOperations(text: string): readonly Operation[] | undefined {
  const { documents, problems } = parseSource(text);
  if (problems.length > 0 || documents.length > 1) return undefined;
  const [document] = documents;
  if (document === undefined || document.root === null) return [];
  const report = (): void => {};
  const list = anyValue(document.root, [], { reader: createReader(document, report), report });
  return isOperations(list) ? list : undefined;
}

function isOperations(list: unknown): list is readonly Operation[] {
  return (
    Array.isArray(list) &&
    list.every((item: unknown) => {
      const { op, path } = (item ?? {}) as { readonly op?: unknown; readonly path?: unknown };
      return typeof op === "string" && typeof path === "string";
    })
  );
}

/**
 * Patches as given on a command line: inline text, `@file`, or a file name.
 *
 * @throws {OsError} when a file cannot be read or a patch not be understood
 */
export function loadPatches(
  inputs: readonly string[],
  readFile = (path: string): string => readFileSync(path, "utf8"),
): readonly Patch[] {
  return inputs.map((input) => {
    const isFile = input.startsWith("@") || !/[\n ]|^[[{]/.test(input);
    try {
      return loadPatch(isFile ? readFile(input.replace(/^@/, "")) : input);
    } catch (error) {
      throw OsError.from(error, "invalid-argument");
    }
  });
}
