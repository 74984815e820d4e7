/** Changes of block mappings and lists, line by line: what is not touched keeps its bytes. */

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@talos-ts/base";
import { isMap, isScalar, isSeq, type CST, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Type } from "../schema/type.ts";
import { emitLines, type EmitStyle, type Tree } from "../../yaml/emit.ts";
import { alignLists } from "./align.ts";
import { blockEntries, valueSpan, type BlockEntry } from "./block-entry.ts";
import { editFlow } from "./edit-flow.ts";
import { innerType, keysOf, treeOf, type Values } from "./shape.ts";
import type { Edit } from "./splice.ts";
import { contentEnd } from "./token.ts";

/** The text that is edited, ended by a line break, and how new lines of it look. */
export interface Sheet extends EmitStyle {
  readonly text: string;
  readonly eol: string;
  /** True when merge keys go, because what they stand for is written out. */
  readonly writeOut: boolean;
}

/** @returns what to change, or nothing when the value has to be written anew */
export function editNode(
  sheet: Sheet,
  node: Node | null,
  type: Type<unknown>,
  before: unknown,
  after: unknown,
): readonly Edit[] | undefined {
  const token = node?.srcToken;
  if (node === null || token === undefined) return undefined;
  if (token.type === "flow-collection") {
    const text = editFlow(sheet.text, node, type, before, after);
    return text === undefined ? undefined : [{ start: token.offset, end: contentEnd(token), text }];
  }
  if (isMap(node) && isRecord(before) && isRecord(after)) return editMap(sheet, node, type, before, after);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) return editList(sheet, node, type, before, after);
  return undefined;
}

function editMap(
  sheet: Sheet,
  node: YAMLMap,
  type: Type<unknown>,
  before: Values,
  after: Values,
): readonly Edit[] | undefined {
  const token = node.srcToken as CST.BlockMap;
  const entries = blockEntries(sheet.text, token);
  if (entries === undefined) return undefined;
  const edits: Edit[] = [];
  const removed = new Set(sheet.writeOut ? entries.filter((_, index) => keyAt(node, index) === "<<") : []);
  const added: string[] = [];
  for (const key of keysOf(type, before, after)) {
    const [old, value, inner] = [before[key], after[key], innerType(type, key)];
    if (isDeepStrictEqual(old, value)) continue;
    const index = node.items.findIndex((_, at) => keyAt(node, at) === key);
    const entry = entries[index];
    if (entry !== undefined && value === undefined) removed.add(entry);
    else if (entry !== undefined) {
      const child = (node.items[index] as Pair<Node, Node | null>).value;
      edits.push(...editEntry(sheet, token.indent, entry, child, inner, old, value));
    } else if (value === undefined) return undefined;
    else added.push(...emitLines({ entries: [{ key, value: treeOf(inner, value) }] }, token.indent, sheet));
  }
  if (removed.size === entries.length) return undefined;
  const end = entries.at(-1)?.end ?? contentEnd(token);
  return [...edits, ...removals(sheet.text, entries, removed), insertion(sheet, end, added)];
}

function keyAt(node: YAMLMap, index: number): unknown {
  const key = node.items[index]?.key;
  return isScalar(key) ? key.value : undefined;
}

function editList(
  sheet: Sheet,
  node: YAMLSeq,
  type: Type<unknown>,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly Edit[] | undefined {
  const token = node.srcToken as CST.BlockSequence;
  const entries = blockEntries(sheet.text, token);
  if (entries === undefined || entries.length !== before.length) return undefined;
  const inner = innerType(type);
  const edits: Edit[] = [];
  const removed = new Set<BlockEntry>();
  let at = entries[0]?.head ?? 0;
  for (const step of alignLists(type, before, after)) {
    const entry = step.is === "added" ? undefined : entries[step.from];
    if (entry === undefined) {
      if (step.is !== "added" || at === entries[0]?.start) return undefined;
      edits.push(insertion(sheet, at, emitLines([treeOf(inner, after[step.to])], token.indent, sheet)));
      continue;
    }
    at = entry.end;
    if (step.is === "removed") removed.add(entry);
    else if (step.is === "kept" && !isDeepStrictEqual(before[step.from], after[step.to])) {
      const child = node.items[step.from] as Node | null;
      edits.push(...editEntry(sheet, token.indent, entry, child, inner, before[step.from], after[step.to]));
    }
  }
  if (removed.size === entries.length) return undefined;
  return [...edits, ...removals(sheet.text, entries, removed)];
}

/** Entries go with their comments; when the first one shared its line with a dash, the next one moves up to it. */
function removals(text: string, entries: readonly BlockEntry[], removed: ReadonlySet<BlockEntry>): readonly Edit[] {
  const firstKept = entries.find((entry) => !removed.has(entry));
  const edits: Edit[] = [];
  for (const entry of removed) {
    const isLeading = entries[0]?.isCompact === true && firstKept !== undefined && entry.start < firstKept.start;
    if (!isLeading) edits.push({ start: entry.head, end: entry.end, text: "" });
  }
  const [first] = entries;
  if (first?.isCompact === true && firstKept !== undefined && firstKept !== first) {
    edits.push({ start: first.start, end: firstKept.head + indentAt(text, firstKept.head), text: "" });
  }
  return edits;
}

function indentAt(text: string, start: number): number {
  return /^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0;
}

function editEntry(
  sheet: Sheet,
  column: number,
  entry: BlockEntry,
  node: Node | null,
  type: Type<unknown>,
  before: unknown,
  after: unknown,
): readonly Edit[] {
  const inside = hasItems(node) ? editNode(sheet, node, type, before, after) : undefined;
  return inside ?? replaceValue(sheet, column, entry, treeOf(type, after));
}

/** Empty brackets are no style worth keeping. */
function hasItems(node: Node | null): boolean {
  return (isMap(node) || isSeq(node)) && node.items.length > 0;
}

function replaceValue(sheet: Sheet, column: number, entry: BlockEntry, tree: Tree): readonly Edit[] {
  const inList = entry.item.sep === undefined;
  const [first = "", ...rest] = emitLines(inList ? [tree] : { entries: [{ key: "k", value: tree }] }, column, sheet);
  const { inline, below } = valueSpan(sheet.text, entry);
  return [
    { start: inline[0], end: inline[1], text: first.slice(column + (inList ? 1 : 2)) },
    { ...insertion(sheet, below[0], rest), end: below[1] },
  ];
}

function insertion({ eol }: Sheet, at: number, lines: readonly string[]): Edit {
  return { start: at, end: at, text: lines.map((line) => line + eol).join("") };
}
