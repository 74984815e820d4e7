import type { CST } from "yaml";
import { entryEnd, headStart, lineEnd, lineStart, nextLine } from "./lines.ts";
import { contentEnd, indicatorEnd, itemEnd, itemsOf, itemStart, propertiesEnd } from "./token.ts";

/** An entry of a block mapping or list: where its lines are, comments included. */
export interface BlockEntry {
  readonly item: CST.CollectionItem;
  /** Its first character. */
  readonly start: number;
  /** Its comments above; the entry itself when it shares its line with the dash of a list around it. */
  readonly head: number;
  readonly end: number;
  /** True when something else stands before it on its line. */
  readonly isCompact: boolean;
  /** Behind the `:` or `-`. */
  readonly indicator: number;
}

/** @returns nothing when an entry has no indicator, as keys without a value */
export function blockEntries(text: string, token: CST.BlockMap | CST.BlockSequence): BlockEntry[] | undefined {
  const entries: BlockEntry[] = [];
  let floor = 0;
  for (const item of itemsOf(token)) {
    const [start, indicator] = [itemStart(item), indicatorEnd(item)];
    if (start === undefined || indicator === undefined) return undefined;
    const isCompact = text.slice(lineStart(text, start), start).trim() !== "";
    const end = entryEnd(text, itemEnd(item, start), token.indent);
    const head = isCompact ? start : headStart(text, start, token.indent, floor);
    entries.push({ item, start, head, end, isCompact, indicator });
    floor = end;
  }
  return entries;
}

/** Describes where the value of an entry stands: the part on the line of the indicator, and the lines below. */
export interface ValueSpan {
  readonly inline: readonly [number, number];
  readonly below: readonly [number, number];
}

export function valueSpan(text: string, { item, indicator }: BlockEntry): ValueSpan {
  const { value } = item;
  const none = propertiesEnd(item, indicator);
  if (value === undefined) return { inline: [indicator, none], below: linesBetween(text, none, none) };
  const end = contentEnd(value);
  if (text.slice(indicator, value.offset).includes("\n")) {
    return { inline: [indicator, none], below: linesBetween(text, none, end) };
  }
  const isBlock = value.type === "block-map" || value.type === "block-seq";
  const first = isBlock ? lineEnd(text, value.offset) : value.type === "block-scalar" ? headerEnd(value) : end;
  return { inline: [indicator, first], below: linesBetween(text, first, end) };
}

function headerEnd({ props, offset }: CST.BlockScalar): number {
  const header = props.find((prop) => prop.type === "block-scalar-header");
  return header === undefined || !("source" in header) ? offset : header.offset + header.source.length;
}

function linesBetween(text: string, first: number, last: number): readonly [number, number] {
  const start = nextLine(text, first);
  return [start, Math.max(start, nextLine(text, last))];
}
