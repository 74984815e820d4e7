/** Writes a changed configuration so that what was not changed keeps its bytes, and comments and order stay. */

import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, parseDocument, Scalar, type Node, type Pair, type YAMLMap } from "yaml";
import type { Config, ConfigDocument } from "../config.ts";
import type { Field } from "../schema/type.ts";
import { emit } from "../yaml/emit.ts";
import { loadConfig } from "../load/load.ts";
import { encodeDocument } from "./encode.ts";
import { toTree } from "./to-tree.ts";

type Values = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Field<unknown>>>;

const bare = { docs: false, examples: false, render: () => [] } as const;

/** Documents that have no source are written in canonical form. */
export function encodePreserving(config: Config): string {
  return config.documents
    .map((document) =>
      document.origin === undefined ? encodeDocument(document) : preserveDocument(document, document.origin),
    )
    .map((text) => (text.endsWith("\n") ? text : `${text}\n`))
    .join("---\n");
}

function preserveDocument(document: ConfigDocument, origin: string): string {
  const before = loadConfig(origin).documents[0]?.value;
  if (isDeepStrictEqual(before, document.value)) return origin;
  const yaml = parseDocument(origin, { schema: "failsafe", keepSourceTokens: true });
  if (!isMap(yaml.contents)) return encodeDocument(document);
  edit(yaml.contents, document.schema.type.fields, before as Values, document.value as Values);
  return yaml.toString({ indent: 4, lineWidth: 0, flowCollectionPadding: false });
}

function edit(map: YAMLMap, fields: Fields, before: Values, after: Values): void {
  for (const [key, field] of Object.entries(fields)) {
    const [old, value] = [before[key], after[key]];
    if (isDeepStrictEqual(old, value)) continue;
    const existing = (map.items as Pair<Node, Node | null>[]).find(
      (pair) => isScalar(pair.key) && pair.key.value === key,
    );
    if (value === undefined) map.delete(key);
    else if (existing !== undefined && field.type.is === "object" && isMap(existing.value)) {
      edit(existing.value, field.type.fields, old as Values, value as Values);
    } else if (existing !== undefined) existing.value = replaced(existing.value, nodeOf(field, value));
    else map.add({ key: new Scalar(key), value: nodeOf(field, value) });
  }
}

function nodeOf(field: Field<unknown>, value: unknown): Node {
  const text = emit(toTree(field.type, value, bare));
  return parseDocument(text, { schema: "failsafe" }).contents ?? new Scalar("");
}

/** The comment behind the old value stays behind the new one. */
function replaced(old: Node | null, node: Node): Node {
  if (old?.comment !== undefined && old.comment !== null) node.comment = old.comment;
  return node;
}
