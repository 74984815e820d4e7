/** Writes YAML the way go-yaml does with an indent of four, byte for byte. */

import type { Printed } from "../config/schema/type.ts";
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
  return `${emitLines(tree, 0, { step: 4, literals: true }).join("\n")}\n`;
}

export interface EmitStyle {
  /** Children stand at the next multiple of it. */
  readonly step: number;
  /** True when text of several lines is written as such. */
  readonly literals: boolean;
}

/** The lines of a tree at an indentation. */
export function emitLines(tree: Tree, indent: number, style: EmitStyle): readonly string[] {
  const out: Output = { ...style, lines: [] };
  writeBlock(out, tree, indent);
  return out.lines;
}

interface Output extends EmitStyle {
  readonly lines: string[];
}

export function isTreeMap(tree: Tree): tree is TreeMap {
  return typeof tree === "object" && tree !== null && "entries" in tree && !Array.isArray(tree);
}

function isBlock(tree: Tree): boolean {
  return isTreeMap(tree) ? tree.entries.length > 0 : Array.isArray(tree) && tree.length > 0;
}

function writeBlock(out: Output, tree: Tree, indent: number): void {
  if (isTreeMap(tree) && tree.entries.length > 0) writeMap(out, tree, indent);
  else if (Array.isArray(tree) && tree.length > 0) writeList(out, tree as readonly Tree[], indent);
  else out.lines.push(`${pad(indent)}${inlineText(tree)}`);
}

function pad(indent: number): string {
  return " ".repeat(indent);
}

function deeper({ step }: Output, indent: number): number {
  return step * Math.floor((indent + step) / step);
}

function writeMap(out: Output, { entries }: TreeMap, indent: number): void {
  for (const entry of entries) {
    for (const comment of entry.head ?? []) out.lines.push(`${pad(indent)}${comment}`);
    writeKeyed(out, entry, indent);
    for (const comment of entry.foot ?? []) out.lines.push(comment === "" ? "" : `${pad(indent)}${comment}`);
  }
}

function writeKeyed(out: Output, { key, value, line }: TreeEntry, indent: number): void {
  const trailing = line === undefined ? "" : ` ${line}`;
  let prefix = `${pad(indent)}${inlineString(key)}:`;
  if (key.includes("\n") || key.length > 128) {
    writeScalar(out, `${pad(indent)}? `, key, indent, deeper(out, indent), "");
    prefix = `${pad(indent)}:`;
  }
  if (isBlock(value)) {
    out.lines.push(prefix);
    writeBlock(out, value, deeper(out, indent));
    return;
  }
  writeScalar(out, `${prefix} `, value, indent, deeper(out, indent), trailing);
}

function writeList(out: Output, items: readonly Tree[], indent: number): void {
  for (const item of items) {
    if (!isBlock(item)) {
      writeScalar(out, `${pad(indent)}- `, item, indent, indent + 2, "");
      continue;
    }
    const { lines } = out;
    const first = lines.length;
    writeBlock(out, item, indent + 2);
    // The first line of the item shares its line with the dash.
    const opening = lines[first] ?? "";
    lines[first] = `${pad(indent)}- ${opening.slice(indent + 2)}`;
  }
}

function writeScalar(out: Output, prefix: string, value: Tree, parent: number, indent: number, trailing: string): void {
  if (typeof value !== "string" || !out.literals || !isLiteral(value)) {
    out.lines.push(`${prefix}${inlineText(value)}${trailing}`);
    return;
  }
  out.lines.push(`${prefix}${literalHeader(value, indent - parent)}${trailing}`);
  const body = value.endsWith("\n") ? value.slice(0, -1) : value;
  for (const text of body.split("\n")) out.lines.push(text === "" ? "" : `${pad(indent)}${text}`);
}

/** A scalar or an empty collection on one line. */
export function inlineText(value: Tree): string {
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
