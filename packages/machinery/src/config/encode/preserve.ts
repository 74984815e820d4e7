/** Writes a changed configuration so that what was not changed keeps its bytes: only the lines that must change do. */

import { isDeepStrictEqual } from "node:util";
import { isMap } from "yaml";
import type { Config, ConfigDocument, Origin } from "../config.ts";
import { editDocument } from "../edit/edit-document.ts";
import { lineBreak } from "../edit/lines.ts";
import { readConfig } from "../load/load.ts";
import { isNull } from "../load/reader.ts";
import type { Source } from "../../yaml/source.ts";
import { encodeDocument } from "./encode.ts";

const marker = /^---[ \t]*(?:\r?\n|$)/;

/** Documents keep their place in the source, new ones come behind; those without a source are written canonically. */
export function encodePreserving(config: Config): string {
  const { origin, documents } = config;
  const isOld = (document: ConfigDocument): boolean => origin !== undefined && document.origin?.source === origin;
  const kept = origin === undefined ? "" : keptText(origin, documents.filter(isOld));
  const eol = lineBreak(origin?.text ?? "");
  return documents
    .filter((document) => !isOld(document))
    .map((document) => newText(document).replaceAll(/\r?\n/g, eol))
    .reduce((text, added) => (text === "" ? added : `${endLine(text, eol)}---${eol}${added}`), kept);
}

/** The source with its documents changed, or gone together with their markers. */
function keptText({ text, documents: parts }: Source, documents: readonly ConfigDocument[]): string {
  const byIndex = new Map(documents.map((document) => [document.origin?.index, document]));
  const texts = parts.map(({ start, end, root }, index) => {
    const part = text.slice(start, end);
    const document = byIndex.get(index);
    if (document !== undefined) return preserved(document, part);
    return root === null || isNull(root) ? part : "";
  });
  const kept = texts.join("");
  const startsAnew = texts[0] === "" && !marker.test(text);
  return startsAnew ? kept.replace(marker, "") : kept;
}

function preserved(document: ConfigDocument, part: string): string {
  const before = document.origin?.value;
  return isDeepStrictEqual(before, document.value) ? part : editDocument(document, part, before);
}

/** A document of a patch is taken with its comments, unless it is written in brackets or has more in it than itself. */
function newText(document: ConfigDocument): string {
  const own = document.origin === undefined ? undefined : ownText(document.origin);
  if (own === undefined) return encodeDocument(document);
  const { documents, problems } = readConfig(own);
  const [reread, ...more] = documents;
  const isSame = problems.length === 0 && more.length === 0 && isDeepStrictEqual(reread?.value, document.value);
  return isSame ? endLine(own) : encodeDocument(document);
}

function ownText({ source, index }: Origin): string | undefined {
  const part = source.documents[index];
  if (part === undefined || !isMap(part.root) || part.root.flow === true) return undefined;
  const text = source.text.slice(part.start, part.end).replace(marker, "");
  return /^(?:---|\.\.\.|%)/m.test(text) ? undefined : text;
}

function endLine(text: string, eol = "\n"): string {
  return text.endsWith("\n") ? text : text + eol;
}
