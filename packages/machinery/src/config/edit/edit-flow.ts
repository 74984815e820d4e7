/** Changes inside brackets: what is not touched keeps its bytes, what comes in is written like its neighbours. */

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@talos-ts/base";
import { isMap, isPair, isScalar, isSeq, type CST, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Type } from "../schema/type.ts";
import { alignLists } from "./align.ts";
import { flowKey, flowText } from "./flow-text.ts";
import { innerType, keysOf, treeOf, type Values } from "./shape.ts";
import { contentEnd, indicatorEnd, itemEnd, itemsOf, itemStart } from "./token.ts";

/** An entry with the text before it, which holds the bracket or the comma. */
interface Piece {
  readonly lead: string;
  readonly text: string;
}

/** @returns the new text of a node in flow style, or nothing when it cannot be changed in place */
export function editFlow(
  text: string,
  node: Node,
  type: Type<unknown>,
  before: unknown,
  after: unknown,
): string | undefined {
  if (node.srcToken?.type !== "flow-collection") return undefined;
  if (isMap(node) && isRecord(before) && isRecord(after)) return editMap(text, node, type, before, after);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) return editList(text, node, type, before, after);
  return undefined;
}

function editMap(text: string, node: YAMLMap, type: Type<unknown>, before: Values, after: Values): string | undefined {
  const pieces = piecesOf(text, node.srcToken as CST.FlowCollection);
  const changed: (Piece | undefined)[] = [...pieces];
  const added: string[] = [];
  for (const key of keysOf(type, before, after)) {
    if (isDeepStrictEqual(before[key], after[key])) continue;
    const index = node.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
    const inner = innerType(type, key);
    if (index >= 0 && after[key] === undefined) changed[index] = undefined;
    else if (index >= 0) {
      const value = editPair(text, node.items[index] as Pair<Node, Node | null>, inner, before[key], after[key]);
      if (value === undefined) return undefined;
      changed[index] = { lead: pieces[index]?.lead ?? "", text: value };
    } else if (after[key] === undefined) return undefined;
    else added.push(`${flowKey(key)}: ${flowText(treeOf(inner, after[key]))}`);
  }
  return joined(text, node.srcToken as CST.FlowCollection, pieces, changed, added);
}

function editPair(
  text: string,
  { srcToken: item, value: node }: Pair<Node, Node | null>,
  type: Type<unknown>,
  before: unknown,
  after: unknown,
): string | undefined {
  const start = item === undefined ? undefined : itemStart(item);
  const indicator = item === undefined ? undefined : indicatorEnd(item);
  if (item === undefined || start === undefined || indicator === undefined) return undefined;
  const inside = node === null ? undefined : editFlow(text, node, type, before, after);
  if (inside !== undefined) return text.slice(start, item.value?.offset) + inside;
  return `${text.slice(start, indicator)} ${flowText(treeOf(type, after))}`;
}

function editList(
  text: string,
  node: YAMLSeq,
  type: Type<unknown>,
  before: readonly unknown[],
  after: readonly unknown[],
): string | undefined {
  const pieces = piecesOf(text, node.srcToken as CST.FlowCollection);
  if (pieces.length !== before.length || node.items.some(isPair)) return undefined;
  const inner = innerType(type);
  const changed: (Piece | undefined)[] = [];
  for (const step of alignLists(type, before, after)) {
    if (step.is === "removed") continue;
    const [from, to] = [step.is === "kept" ? before[step.from] : undefined, after[step.to]];
    const piece = step.is === "kept" ? pieces[step.from] : undefined;
    if (step.is === "kept" && piece !== undefined && isDeepStrictEqual(from, to)) changed.push(piece);
    else {
      const inside = step.is === "kept" ? editFlow(text, node.items[step.from] as Node, inner, from, to) : undefined;
      changed.push({ lead: piece?.lead ?? leadOf(pieces), text: inside ?? flowText(treeOf(inner, to)) });
    }
  }
  return joined(text, node.srcToken as CST.FlowCollection, pieces, changed, []);
}

function piecesOf(text: string, token: CST.FlowCollection): readonly Piece[] {
  let at = token.offset;
  return itemsOf(token).map((item) => {
    const start = itemStart(item) ?? at;
    const end = itemEnd(item, start);
    const piece = { lead: text.slice(at, start), text: text.slice(start, end) };
    at = end;
    return piece;
  });
}

/** Returns what stands between entries; a comment there belongs to one of them. */
function leadOf(pieces: readonly Piece[]): string {
  const lead = pieces.length > 1 ? pieces.at(-1)?.lead : undefined;
  return lead === undefined || lead.includes("#") ? ", " : lead;
}

function joined(
  text: string,
  token: CST.FlowCollection,
  pieces: readonly Piece[],
  changed: readonly (Piece | undefined)[],
  added: readonly string[],
): string {
  const lead = leadOf(pieces);
  const kept = [...changed.filter((piece) => piece !== undefined), ...added.map((entry) => ({ lead, text: entry }))];
  const end = contentEnd(token);
  if (kept.length === 0) return `${token.start.source}${text[end - 1]}`;
  const last = itemsOf(token).at(-1);
  const opening = pieces[0]?.lead ?? token.start.source;
  const tail = last === undefined ? text.slice(end - 1, end) : text.slice(itemEnd(last, token.offset), end);
  // An entry that was the first one has the bracket before it, not a comma.
  const between = (piece: Piece): string => (piece.lead === opening ? lead : piece.lead);
  return kept.map((piece, index) => `${index === 0 ? opening : between(piece)}${piece.text}`).join("") + tail;
}
