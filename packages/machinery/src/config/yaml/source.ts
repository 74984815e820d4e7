/** A YAML source split into documents, with positions, before any meaning is given to it. */

import { isAlias, LineCounter, parseAllDocuments, type Document, type Node } from "yaml";

export interface SourceDocument {
  readonly yaml: Document.Parsed;
  readonly root: Node | null;
}

export interface SyntaxProblem {
  readonly message: string;
  readonly offset: number;
}

export interface Source {
  readonly text: string;
  readonly documents: readonly SourceDocument[];
  readonly problems: readonly SyntaxProblem[];
  /** Line and column, counted from one. */
  readonly position: (offset: number) => { readonly line: number; readonly column: number };
}

/** Larger inputs are refused; the largest real configurations stay far below. */
export const maxSourceBytes = 16 * 1024 * 1024;

/**
 * Splits and parses. All scalars stay strings (the failsafe schema), because what they mean depends on the field they
 * are read into; duplicate keys, tabs and broken syntax are reported with their offset.
 */
export function parseSource(text: string): Source {
  const lines = new LineCounter();
  const problems: SyntaxProblem[] = [];
  const documents: SourceDocument[] = [];
  const parsed = parseAllDocuments(text, {
    schema: "failsafe",
    lineCounter: lines,
    uniqueKeys: sameKey,
    prettyErrors: false,
    strict: true,
    logLevel: "silent",
    stringKeys: false,
  });
  for (const yaml of Array.isArray(parsed) ? (parsed as Document.Parsed[]) : []) {
    for (const error of yaml.errors) {
      problems.push({ message: syntaxMessage(error.code, error.message), offset: error.pos[0] });
    }
    documents.push({ yaml, root: yaml.contents });
  }
  return {
    text,
    documents,
    problems,
    position: (offset) => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    },
  };
}

function sameKey(left: unknown, right: unknown): boolean {
  return left === right || (scalarText(left) !== undefined && scalarText(left) === scalarText(right));
}

function scalarText(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || isAlias(node)) return undefined;
  const value = "value" in node ? node.value : undefined;
  return typeof value === "string" && value !== "<<" ? value : undefined;
}

const explained: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "tabs cannot be used for indentation, use spaces",
  DUPLICATE_KEY: "the key is used twice in the same mapping",
};

function syntaxMessage(code: string, message: string): string {
  return explained[code] ?? `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}
