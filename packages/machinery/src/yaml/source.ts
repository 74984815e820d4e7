/** A YAML source split into documents, with positions, before any meaning is given to it. */

import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Document, type Node } from "yaml";

export interface SourceDocument {
  readonly yaml: Document.Parsed;
  readonly root: Node | null;
  /** Offset of its first character in the source, with its marker and the comments before it, up to the next one. */
  readonly start: number;
  readonly end: number;
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

export interface ParseOptions {
  /** True when nodes know the tokens they are made of (`srcToken`), to edit the text by them. @default false */
  readonly keepTokens?: boolean;
}

/** Larger inputs are refused; the largest real configurations stay far below. */
export const maxSourceBytes = 16 * 1024 * 1024;

/**
 * Splits and parses. All scalars stay strings (the failsafe schema), because what they mean depends on the field they
 * are read into; duplicate keys, tabs and broken syntax are reported with their offset.
 *
 * @throws {RangeError} when the nesting is deeper than the stack
 */
export function parseSource(text: string, { keepTokens = false }: ParseOptions = {}): Source {
  const lines = new LineCounter();
  const problems: SyntaxProblem[] = [];
  const documents: SourceDocument[] = [];
  const parsed = parseAllDocuments(text, {
    schema: "failsafe",
    keepSourceTokens: keepTokens,
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    strict: true,
    logLevel: "silent",
    stringKeys: false,
  });
  let start = 0;
  for (const yaml of Array.isArray(parsed) ? (parsed as Document.Parsed[]) : []) {
    if (yaml.errors.some(({ message }) => /call stack/.test(message))) throw new RangeError("nested too deeply");
    for (const error of yaml.errors) {
      problems.push({ message: syntaxMessage(error.code, error.message), offset: error.pos[0] });
    }
    problems.push(...duplicateKeys(yaml.contents));
    const end = afterLineBreak(text, yaml.range[2]);
    documents.push({ yaml, root: yaml.contents, start, end });
    start = end;
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

/** The break behind a marker that nothing follows is not counted to its document by the parser. */
function afterLineBreak(text: string, offset: number): number {
  if (text.startsWith("\r\n", offset)) return offset + 2;
  return text[offset] === "\n" ? offset + 1 : offset;
}

/** Keys used twice in one mapping. The parser's own check compares every key with every other one. */
function duplicateKeys(root: Node | null): readonly SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  const queue: unknown[] = [root];
  while (queue.length > 0) {
    const node = queue.pop();
    if (isSeq(node)) queue.push(...node.items);
    if (!isMap(node)) continue;
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      queue.push(value);
      const text = isScalar(key) && typeof key.value === "string" && key.value !== "<<" ? key.value : undefined;
      if (text !== undefined && seen.has(text)) {
        problems.push({ message: "the key is used twice in the same mapping", offset: (key as Node).range?.[0] ?? 0 });
      }
      if (text !== undefined) seen.add(text);
    }
  }
  return problems;
}

const explained: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "tabs cannot be used for indentation, use spaces",
};

function syntaxMessage(code: string, message: string): string {
  return explained[code] ?? `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}
