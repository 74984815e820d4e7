/** `$patch: delete` statements: taken out of a patch before it is read, then applied to the document they name. */

import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { SourceDocument } from "../../yaml/source.ts";

export interface Deletion {
  readonly apiVersion: string;
  /** `v1alpha1` for the main document. */
  readonly kind: string;
  readonly name: string;
  /** Empty for the whole document; the last step of an item of a list is `[index]`. */
  readonly path: readonly string[];
  /** For an item of a list: the field it is found by, and its value. */
  readonly key: string;
  readonly value: string;
}

export interface ExtractedDeletions {
  readonly deletions: readonly Deletion[];
  /** True when nothing but deletions was in the document. */
  readonly isEmpty: boolean;
}

type Visit = "keep" | "remove";

/**
 * Removes the statements from the document itself.
 *
 * @throws {Error} with the sentence that says which statement makes no sense
 */
export function extractDeletions(document: SourceDocument): ExtractedDeletions {
  const { root } = document;
  if (!isMap(root)) return { deletions: [], isEmpty: false };
  const deletions: Deletion[] = [];
  const found = (path: readonly string[], key = "", value = ""): void => {
    deletions.push({ ...identityOf(root, path), path, key, value });
  };
  const removed = visitMap(root, [], undefined, found) === "remove";
  return { deletions, isEmpty: removed || isBare(root) };
}

type Found = (path: readonly string[], key?: string, value?: string) => void;

function visitMap(map: YAMLMap, path: readonly string[], parent: "list" | undefined, found: Found): Visit {
  const pairs = map.items as Pair<Node, Node | null>[];
  if (pairs.some(isStatement)) {
    if (parent === "list") foundItem(pairs, path, found);
    else if (path.some((step) => step.startsWith("["))) {
      throw new Error(`cannot delete an inner key in '${path.join(".")}'`);
    } else found(path);
    return "remove";
  }
  const kept = pairs.filter((pair) => visit(pair.value, [...path, textOf(pair.key)], undefined, found) === "keep");
  const emptied = kept.length === 0 && pairs.length > 0;
  map.items = kept;
  return emptied ? "remove" : "keep";
}

function visitList(list: YAMLSeq, path: readonly string[], found: Found): Visit {
  const items = list.items as Node[];
  const kept = items.filter((item, index) => visit(item, [...path, `[${index}]`], "list", found) === "keep");
  const emptied = kept.length === 0 && items.length > 0;
  list.items = kept;
  return emptied ? "remove" : "keep";
}

function visit(node: Node | null, path: readonly string[], parent: "list" | undefined, found: Found): Visit {
  if (isMap(node)) return visitMap(node, path, parent, found);
  return isSeq(node) ? visitList(node, path, found) : "keep";
}

function foundItem(pairs: readonly Pair<Node, Node | null>[], path: readonly string[], found: Found): void {
  const selector = pairs.find((pair) => !isStatement(pair));
  if (selector === undefined) throw new Error(`no key:val found in sequence node for path ${path.join(".")}`);
  found(path, textOf(selector.key), textOf(selector.value));
}

function isStatement({ key, value }: Pair<Node, Node | null>): boolean {
  return textOf(key) === "$patch" && textOf(value) === "delete";
}

function textOf(node: Node | null): string {
  return isScalar(node) ? String(node.value ?? "") : "";
}

function identityOf(root: YAMLMap, path: readonly string[]): Pick<Deletion, "apiVersion" | "kind" | "name"> {
  const read = (key: string): string => textOf((root.get(key, true) as Node | undefined) ?? null);
  const [apiVersion, kind, name] = [read("apiVersion"), read("kind"), read("name")];
  if (path.length === 0) {
    for (const [key, value] of [
      ["apiVersion", apiVersion],
      ["kind", kind],
    ] as const) {
      if (value === "") throw new Error(`missing ${key} in document for which $patch: delete is used`);
    }
  }
  if ((kind === "") !== (apiVersion === "")) {
    throw new Error(`kind and apiVersion must be both set for path ${path.join(".")}`);
  }
  return { apiVersion, kind: kind === "" ? "v1alpha1" : kind, name };
}

const bareKeys = new Set(["version", "kind", "name"]);

function isBare(root: YAMLMap): boolean {
  return (root.items as Pair<Node, Node | null>[]).every(
    (pair) => bareKeys.has(textOf(pair.key)) && isScalar(pair.value),
  );
}
