/** Places of YAML tokens in their source. */

import type { CST } from "yaml";

type Item = CST.CollectionItem;

const layout = new Set(["space", "newline", "comment", "comma"]);

/** Returns where the first token of an item that is not layout stands. */
export function itemStart(item: Item): number | undefined {
  const first = item.start.find(({ type }) => !layout.has(type));
  return first?.offset ?? item.key?.offset ?? item.sep?.[0]?.offset ?? item.value?.offset;
}

/** The items of a collection; the parser counts comments at its end as one more. */
export function itemsOf({ items }: { readonly items: readonly Item[] }): readonly Item[] {
  return items.filter((item) => itemStart(item) !== undefined);
}

/** Behind the `:` or `-` that introduces the value of an item. */
export function indicatorEnd(item: Item): number | undefined {
  const tokens = item.sep ?? item.start;
  const indicator = tokens.find(({ type }) => type === "map-value-ind" || type === "seq-item-ind");
  return indicator === undefined ? undefined : indicator.offset + indicator.source.length;
}

/** Behind the tag and the anchor on the line of the indicator. */
export function propertiesEnd(item: Item, indicator: number): number {
  let end = indicator;
  for (const { type, offset, source } of item.sep ?? item.start) {
    if (offset < indicator) continue;
    if (type === "newline" || type === "comment") break;
    if (type === "anchor" || type === "tag") end = offset + source.length;
  }
  return end;
}

/** Behind the last character of a value, without the blank lines that mean nothing. */
export function contentEnd(token: CST.Token): number {
  if (token.type === "block-map" || token.type === "block-seq") {
    const last = itemsOf(token).at(-1);
    return last === undefined ? token.offset : itemEnd(last, token.offset);
  }
  if (token.type === "flow-collection") {
    const bracket = token.end.find(({ type }) => type === "flow-map-end" || type === "flow-seq-end");
    return bracket === undefined ? token.offset : bracket.offset + bracket.source.length;
  }
  if (token.type === "block-scalar") {
    const isKept = token.props.some((prop) => prop.type === "block-scalar-header" && prop.source.includes("+"));
    return bodyStart(token) + (isKept ? token.source : withoutBlankEnd(token.source)).length;
  }
  return token.offset + ("source" in token ? token.source.length : 0);
}

/** Spaces beyond the indentation are part of a text, also on a line of their own. */
function withoutBlankEnd(source: string): string {
  const indent = /^(?:[ \t]*\r?\n)*( *)\S/.exec(source)?.[1]?.length ?? 0;
  return source.replace(new RegExp(`(?:\\r?\\n {0,${indent}})*$`), "");
}

/** Returns where the lines of a block scalar begin. */
function bodyStart({ props, offset }: CST.BlockScalar): number {
  const last = props.at(-1);
  return last === undefined || !("source" in last) ? offset : last.offset + last.source.length;
}

/** Behind the last character of an item. */
export function itemEnd(item: Item, fallback: number): number {
  if (item.value !== undefined) return contentEnd(item.value);
  const indicator = indicatorEnd(item);
  if (indicator !== undefined) return propertiesEnd(item, indicator);
  return item.key === undefined || item.key === null ? fallback : contentEnd(item.key);
}
