/** From bytes to a configuration: every problem at once, each with its place. */

import { OsError } from "@talos-ts/base";
import { isMap, type Node } from "yaml";
import { findConflict, makeConfig, makeDocument, type Config, type ConfigDocument } from "../config.ts";
import { extractDeletions, type Deletion, type ExtractedDeletions } from "../patch/deletion.ts";
import { maxSourceBytes, parseSource, type Source, type SourceDocument } from "../../yaml/source.ts";
import { decode } from "./decode.ts";
import { chooseSchema, identify } from "./identify.ts";
import { locator } from "./locate.ts";
import { formatProblem, type Path, type Problem } from "./problem.ts";
import { createReader, isNull, type Report } from "./reader.ts";

/** A configuration as far as it could be read, and the problems found. */
export interface LoadResult {
  /** Absent when there are problems or no documents. */
  readonly config: Config | undefined;
  readonly documents: readonly ConfigDocument[];
  /** Deletions of a patch, each with the number of documents that stand before it. */
  readonly deletions: readonly { readonly before: number; readonly deletion: Deletion }[];
  readonly problems: readonly Problem[];
}

export interface ReadOptions {
  /** True when `$patch: delete` is understood, as in patches. @default false */
  readonly allowDeletions?: boolean;
}

/** Reads a configuration and never throws, whatever the bytes are. */
export function readConfig(input: string | Uint8Array, options: ReadOptions = {}): LoadResult {
  if (input.length > maxSourceBytes) {
    return failed(
      "config/too-large",
      `the configuration has ${input.length} bytes, expected at most ${maxSourceBytes}`,
    );
  }
  try {
    const text =
      typeof input === "string" ? input : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input);
    return readSource(parseSource(text), options);
  } catch (error) {
    if (error instanceof RangeError) return failed("config/too-deep", "the configuration is nested too deeply");
    if (error instanceof TypeError) return failed("config/not-text", "the configuration is not UTF-8 text");
    throw error;
  }
}

function failed(code: string, message: string): LoadResult {
  const problem = { code, severity: "error", document: "", path: [], message, line: 0, column: 0 } as const;
  return { config: undefined, documents: [], deletions: [], problems: [problem] };
}

function readSource(source: Source, options: ReadOptions): LoadResult {
  const problems: Problem[] = [];
  const reportAs = (document: string) => (code: string, at: Node | number, path: Path, message: string) => {
    const offset = typeof at === "number" ? at : (at.range?.[0] ?? 0);
    problems.push({ code, severity: "error", document, path, message, ...source.position(offset) });
  };
  for (const { message, offset } of source.problems) reportAs("")("config/syntax", offset, [], message);
  const documents: ConfigDocument[] = [];
  const deletions: { before: number; deletion: Deletion }[] = [];
  const seen = new Set<string>();
  for (const [index, document] of problems.length > 0 ? [] : source.documents.entries()) {
    if (options.allowDeletions === true) {
      const extracted = readDeletions(source, document, reportAs(""));
      for (const deletion of extracted.deletions) deletions.push({ before: documents.length, deletion });
      if (extracted.isEmpty) continue;
    }
    const loaded = readDocument(source, [index, document], reportAs, seen);
    if (loaded !== undefined) documents.push(loaded);
  }
  const conflict = problems.length === 0 ? findConflict(documents) : undefined;
  if (conflict !== undefined) {
    const place = documents[conflict.details.index]?.locate([]) ?? { line: 0, column: 0 };
    problems.push({
      code: conflict.code,
      severity: "error",
      document: "",
      path: [],
      message: conflict.message,
      ...place,
    });
  }
  const config =
    problems.length > 0 || documents.length === 0
      ? undefined
      : makeConfig(documents, { source: source.text, origin: source });
  return { config, documents, deletions, problems };
}

function readDeletions(source: Source, document: SourceDocument, report: Report): ExtractedDeletions {
  try {
    return extractDeletions(document);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { line } = source.position(document.root?.range?.[0] ?? 0);
    const message = `error processing patch delete statements at line ${line}: ${reason}`;
    report("config/patch-delete", document.root ?? 0, [], message);
    return { deletions: [], isEmpty: true };
  }
}

function readDocument(
  source: Source,
  [index, document]: readonly [number, SourceDocument],
  reportAs: (document: string) => Report,
  seen: Set<string>,
): ConfigDocument | undefined {
  const { root } = document;
  if (root === null || isNull(root)) return undefined;
  if (!isMap(root)) {
    reportAs("")("config/not-a-document", root, [], "expected a YAML document, got something that is not a mapping");
    return undefined;
  }
  const entries = createReader(document, () => {}).entries(root, []);
  const id = identify(entries);
  const report = reportAs(
    id.kind === "v1alpha1" ? "v1alpha1.Config" : `${id.kind}${id.name === "" ? "" : `/${id.name}`}`,
  );
  const key = `${id.apiVersion}/${id.kind}/${id.name}`;
  if (seen.has(key)) report("config/duplicate-document", root, [], `duplicate document ${key} is not allowed`);
  seen.add(key);
  const schema = chooseSchema(entries);
  if (typeof schema === "string") {
    report("config/unknown-document", root, [], schema);
    return undefined;
  }
  const reader = createReader(document, report);
  const value = decode(schema.type, root, [], { reader, report });
  const origin = { source, index, value };
  return { ...makeDocument(schema, value, locator(source, root, reader)), origin };
}

/**
 * Loads a configuration.
 *
 * @throws {OsError} `config/empty` when there is no document, `config/invalid` with all problems in the message and in
 * `details.problems`
 */
export function loadConfig(input: string | Uint8Array): Config {
  const { config, problems } = readConfig(input);
  if (config !== undefined) return config;
  if (problems.length === 0) {
    throw new OsError({ kind: "invalid-argument", code: "config/empty", message: "config not found" });
  }
  throw new OsError({
    kind: "invalid-argument",
    code: problems.length === 1 ? (problems[0]?.code ?? "config/invalid") : "config/invalid",
    message: describeProblems(problems),
    details: { problems },
  });
}

/** All problems as text for a person, one per line, each behind the document it is in. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems
    .map((problem) => (problem.document === "" ? "" : `${problem.document}: `) + formatProblem(problem))
    .join("\n");
}
