/** Writes a changed document into the text it came from. */

import { isMap, type CST, type YAMLMap } from "yaml";
import type { ConfigDocument } from "../config.ts";
import { encodeDocument } from "../encode/encode.ts";
import { decode } from "../load/decode.ts";
import { readConfig } from "../load/load.ts";
import { createReader } from "../load/reader.ts";
import { parseSource } from "../../yaml/source.ts";
import { editNode, type Sheet } from "./edit-block.ts";
import { lineBreak } from "./lines.ts";
import { splice } from "./splice.ts";

/**
 * Anchors make an edit show in other places, and blank lines may become part of a text above them; the next round puts
 * it right.
 */
const rounds = 4;

/**
 * Only the lines that must change do. An anchor that goes takes its aliases along: they are written out. Where nothing
 * helps, the whole document is written in canonical form behind the comments at its top.
 */
export function editDocument(document: ConfigDocument, text: string, original: unknown): string {
  return (
    editInRounds(document, text, original, false) ??
    editInRounds(document, text, writtenValue(document, text), true) ??
    topOf(text) + encodeDocument(document)
  );
}

function editInRounds(
  document: ConfigDocument,
  text: string,
  original: unknown,
  writeOut: boolean,
): string | undefined {
  const wanted = encodeDocument(document);
  const eol = lineBreak(text);
  const isOpen = !text.endsWith("\n");
  let current = text;
  let before = original;
  for (let round = 0; round < rounds; round++) {
    const sheet = { text: isOpen ? current + eol : current, eol, writeOut, literals: round === 0 };
    const edited = editOnce(sheet, document, before);
    if (edited === undefined) return undefined;
    current = isOpen && edited.endsWith(eol) ? edited.slice(0, -eol.length) : edited;
    const { documents, problems } = readConfig(current);
    const [reread] = documents;
    if (reread === undefined || problems.length > 0) return undefined;
    if (encodeDocument(reread) === wanted) return current;
    before = reread.value;
  }
  return undefined;
}

function editOnce(sheet: Omit<Sheet, "step">, { schema, value }: ConfigDocument, before: unknown): string | undefined {
  const root = rootOf(sheet.text);
  if (root === undefined) return undefined;
  const edits = editNode({ ...sheet, step: stepOf(root) }, root, schema.type, before, value);
  return edits === undefined ? undefined : splice(sheet.text, edits);
}

/** Returns what a document says without its aliases. */
function writtenValue({ schema }: ConfigDocument, text: string): unknown {
  const [source] = parseSource(text).documents;
  const report = (): void => {};
  if (source === undefined) return undefined;
  return decode(schema.type, source.root, [], { reader: createReader(source, report, () => new Map()), report });
}

function rootOf(text: string): YAMLMap | undefined {
  const root = parseSource(text, { keepTokens: true }).documents[0]?.root;
  return isMap(root) ? root : undefined;
}

/** By how much the children of the document are indented. */
function stepOf(root: YAMLMap): number {
  const indents = root.items.map(({ srcToken }) => {
    const value: CST.Token | undefined = srcToken?.value;
    return value?.type === "block-map" || value?.type === "block-seq" ? value.indent : 0;
  });
  return indents.find((indent) => indent > 0) ?? 4;
}

/** Marker and comments before the first key. */
function topOf(text: string): string {
  const top = text.slice(0, rootOf(text)?.range?.[0] ?? 0);
  return top === "" || top.endsWith("\n") ? top : `${top.trimEnd()}\n`;
}
