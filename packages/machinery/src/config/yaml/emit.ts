/** Writes YAML the way go-yaml does with an indent of four, byte for byte. */

import type { Printed } from "../schema/type.ts";
import { inlineString, isLiteral, literalHeader } from "./scalar-style.ts";

export interface TreeEntry {
  readonly key: string;
  readonly value: Tree;
  /** Lines of comment above the entry, behind its value, and below it. */
  readonly head?: readonly string[];
  readonly line?: string;
  readonly foot?: readonly string[];
}

export interface TreeMap {
  readonly entries: readonly TreeEntry[];
}

export type Tree = Printed | bigint | null | readonly Tree[] | TreeMap;

/** One document, ended by a line break. */
export function emit(tree: Tree): string {
  const lines: string[] = [];
  writeBlock(lines, tree, 0);
  return `${lines.join("\n")}\n`;
}

function isMap(tree: Tree): tree is TreeMap {
  return typeof tree === "object" && tree !== null && "entries" in tree && !Array.isArray(tree);
}

function isBlock(tree: Tree): boolean {
  return isMap(tree) ? tree.entries.length > 0 : Array.isArray(tree) && tree.length > 0;
}

function writeBlock(lines: string[], tree: Tree, indent: number): void {
  if (isMap(tree) && tree.entries.length > 0) writeMap(lines, tree, indent);
  else if (Array.isArray(tree) && tree.length > 0) writeList(lines, tree as readonly Tree[], indent);
  else lines.push(`${pad(indent)}${inline(tree)}`);
}

function pad(indent: number): string {
  return " ".repeat(indent);
}

/** Children stand at the next multiple of four. */
function deeper(indent: number): number {
  return 4 * Math.floor((indent + 4) / 4);
}

function writeMap(lines: string[], { entries }: TreeMap, indent: number): void {
  for (const entry of entries) {
    for (const comment of entry.head ?? []) lines.push(`${pad(indent)}${comment}`);
    writeKeyed(lines, entry, indent);
    for (const comment of entry.foot ?? []) lines.push(comment === "" ? "" : `${pad(indent)}${comment}`);
  }
}

function writeKeyed(lines: string[], { key, value, line }: TreeEntry, indent: number): void {
  const trailing = line === undefined ? "" : ` ${line}`;
  let prefix = `${pad(indent)}${inlineString(key)}:`;
  if (key.includes("\n") || key.length > 128) {
    writeScalar(lines, `${pad(indent)}? `, key, indent, deeper(indent), "");
    prefix = `${pad(indent)}:`;
  }
  if (isBlock(value)) {
    lines.push(prefix);
    writeBlock(lines, value, deeper(indent));
    return;
  }
  writeScalar(lines, `${prefix} `, value, indent, deeper(indent), trailing);
}

function writeList(lines: string[], items: readonly Tree[], indent: number): void {
  for (const item of items) {
    if (!isBlock(item)) {
      writeScalar(lines, `${pad(indent)}- `, item, indent, indent + 2, "");
      continue;
    }
    const first = lines.length;
    writeBlock(lines, item, indent + 2);
    // The first line of the item shares its line with the dash.
    const opening = lines[first] ?? "";
    lines[first] = `${pad(indent)}- ${opening.slice(indent + 2)}`;
  }
}

function writeScalar(
  lines: string[],
  prefix: string,
  value: Tree,
  parent: number,
  indent: number,
  trailing: string,
): void {
  if (typeof value !== "string" || !isLiteral(value)) {
    lines.push(`${prefix}${inline(value)}${trailing}`);
    return;
  }
  lines.push(`${prefix}${literalHeader(value, indent - parent)}${trailing}`);
  const body = value.endsWith("\n") ? value.slice(0, -1) : value;
  for (const text of body.split("\n")) lines.push(text === "" ? "" : `${pad(indent)}${text}`);
}

function inline(value: Tree): string {
  if (typeof value === "string") return inlineString(value);
  if (typeof value === "number") return printNumber(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return "[]";
  return "raw" in value ? value.raw : "{}";
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  return String(value);
}
