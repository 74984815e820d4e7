/** Reads YAML nodes without knowing what they mean: aliases, merge keys, scalars, and a limit on all of it. */

import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type YAMLMap } from "yaml";
import type { Scalar } from "../schema/type.ts";
import { resolveScalar } from "../../yaml/resolve-scalar.ts";
import type { SourceDocument } from "../../yaml/source.ts";
import { resolveAliases } from "./anchors.ts";
import type { Path } from "./problem.ts";

export interface Entry {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node | null;
}

export interface Reader {
  /** The node an alias stands for, or the node itself; `null` for an alias that leads nowhere. */
  readonly follow: (node: Node | null, path: Path) => Node | null;
  /** Entries of a mapping with merge keys resolved; explicit entries win. */
  readonly entries: (node: YAMLMap, path: Path) => readonly Entry[];
}

export type Report = (code: string, at: Node | number, path: Path, message: string) => void;

/** Nodes that may be reached through aliases; more is an attempt to blow up memory. */
const aliasBudget = 100_000;

export function createReader(document: SourceDocument, report: Report, resolve = resolveAliases): Reader {
  let aliases: ReadonlyMap<Alias, Node> | undefined;
  let spent = 0;
  let exhausted = false;

  function follow(node: Node | null, path: Path): Node | null {
    if (!isAlias(node)) return node;
    aliases ??= resolve(document.yaml);
    const target = aliases.get(node) ?? null;
    if (target === null)
      report("config/bad-alias", node, path, `the alias *${node.source} leads to no anchor, or to itself`);
    spent += target === null ? 1 : countNodes(target, aliases, aliasBudget - spent);
    if (spent < aliasBudget) return target;
    if (!exhausted) report("config/excessive-aliasing", node, path, "document contains excessive aliasing");
    exhausted = true;
    return null;
  }

  function entries(map: YAMLMap, path: Path): readonly Entry[] {
    const own: Entry[] = [];
    const merged: Entry[] = [];
    for (const pair of map.items as Pair<Node, Node | null>[]) {
      const key = keyText(pair.key);
      if (key === undefined) report("config/bad-key", pair.key ?? map, path, "expected a string as key");
      else if (key === "<<" && isPlain(pair.key)) merged.push(...mergedEntries(pair.value, path));
      else own.push({ key, keyNode: pair.key, value: pair.value });
    }
    if (merged.length === 0) return own;
    const seen = new Set(own.map((entry) => entry.key));
    return [...own, ...merged.filter((entry) => !seen.has(entry.key) && seen.add(entry.key))];
  }

  function mergedEntries(value: Node | null, path: Path): readonly Entry[] {
    const target = follow(value, path);
    if (isMap(target)) return entries(target, path);
    if (isSeq(target)) return (target.items as Node[]).flatMap((item) => mergedEntries(item, path));
    if (target !== null)
      report("config/bad-merge", target, path, "map merge requires map or sequence of maps as the value");
    return [];
  }

  return { follow, entries };
}

function countNodes(node: Node, aliases: ReadonlyMap<Alias, Node>, limit: number): number {
  let count = 0;
  const queue: unknown[] = [node];
  while (queue.length > 0 && count < limit) {
    const next = queue.pop();
    count++;
    if (isAlias(next)) queue.push(aliases.get(next));
    else if (isSeq(next)) queue.push(...next.items);
    else if (isMap(next)) for (const pair of next.items) queue.push(pair.value);
  }
  return count;
}

function keyText(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === "string" ? node.value : undefined;
}

function isPlain(node: unknown): boolean {
  return isScalar(node) && (node.type === undefined || node.type === "PLAIN");
}

/** Tags that ask for a value even if the text is quoted. */
const resolvedTags = new Set(["int", "float", "bool", "null"]);

/** A scalar with go-yaml's reading of it. */
export function readScalar(node: Node): Scalar | undefined {
  if (!isScalar(node)) return undefined;
  const text = typeof node.value === "string" ? node.value : "";
  const tag = node.tag?.replace("tag:yaml.org,2002:", "");
  const quoted = tag === undefined ? !isPlain(node) : !resolvedTags.has(tag);
  return { text, quoted, value: quoted ? text : resolveScalar(text) };
}

/** Reports whether nothing is there: no node, or a plain null. */
export function isNull(node: Node | null): boolean {
  if (node === null) return true;
  const scalar = readScalar(node);
  return scalar !== undefined && scalar.value === null;
}
