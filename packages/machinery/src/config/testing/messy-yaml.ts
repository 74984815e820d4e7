/** YAML as people write it: comments, blank lines and styles at random, and whose line is whose. For tests only. */

import { flowKey, flowText } from "../edit/flow-text.ts";
import type { Path } from "../load/problem.ts";
import { emitLines, isTreeMap, type Tree, type TreeEntry } from "../../yaml/emit.ts";
import type { Random } from "@talos-ts/base/testing";

export interface MessyLine {
  readonly text: string;
  /** The entry it belongs to; for `inside`, the collection it stands in. */
  readonly path: Path;
  /** `flow` is a line with a whole collection on it. */
  readonly role: "head" | "line" | "flow" | "foot" | "inside";
}

export function messyYaml(tree: Tree, random: Random): readonly MessyLine[] {
  const lines: MessyLine[] = [];
  let comments = 0;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const comment = (): string => `# comment ${++comments}: [x, {y`;
  const trailing = (): string => (chance(30) ? random.pick(["  ", "\t", " "]) + comment() : chance(10) ? "  " : "");

  function around(path: Path, indent: number, write: () => void): void {
    const pad = " ".repeat(indent);
    const inside = path.slice(0, -1);
    if (chance(15)) lines.push({ text: random.pick(["", "", "   "]), path: inside, role: "inside" });
    if (chance(10) && lines.at(-1)?.text.trim() === "") {
      lines.push({ text: pad + comment(), path: inside, role: "inside" }, { text: "", path: inside, role: "inside" });
    }
    if (chance(25)) lines.push({ text: pad + comment(), path, role: "head" });
    write();
    const role = lines.at(-1)?.role;
    if (!chance(10) || role === "foot" || role === "inside") return;
    lines.push({ text: pad + comment(), path, role: "foot" }, { text: "", path: inside, role: "inside" });
  }

  function writeMap(entries: readonly TreeEntry[], indent: number, path: Path): void {
    for (const { key, value } of entries) {
      const at = [...path, key];
      around(at, indent, () => writeValue(`${" ".repeat(indent)}${flowKey(key)}:`, value, indent, at));
    }
  }

  function writeList(items: readonly Tree[], indent: number, path: Path): void {
    for (const [index, item] of items.entries()) {
      const at = [...path, index];
      around(at, indent, () => writeValue(`${" ".repeat(indent)}-`, item, indent, at));
    }
  }

  function writeValue(prefix: string, value: Tree, indent: number, path: Path): void {
    const isMap = isTreeMap(value) && value.entries.length > 0;
    const isList = Array.isArray(value) && value.length > 0;
    if (!isMap && !isList) writeScalar(prefix, value, indent, path);
    else if (chance(25)) lines.push({ text: `${prefix} ${flowText(value)}${trailing()}`, path, role: "flow" });
    else {
      lines.push({ text: prefix + trailing(), path, role: "line" });
      const isFlush = isList && prefix.endsWith(":") && chance(30);
      const deeper = indent + (isFlush ? 0 : random.pick([1, 2, 2, 4]));
      if (isMap) writeMap(value.entries, deeper, path);
      else writeList(value as readonly Tree[], deeper, path);
    }
  }

  function writeScalar(prefix: string, value: Tree, indent: number, path: Path): void {
    const isText = typeof value === "string" && /^[\x20-\x7e]*$/.test(value);
    if (isText && chance(40)) {
      const quoted = chance(50) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
      lines.push({ text: `${prefix} ${quoted}${trailing()}`, path, role: "line" });
      return;
    }
    const isItem = prefix.endsWith("-");
    const [first = "", ...rest] = emitLines(isItem ? [value] : { entries: [{ key: "k", value }] }, indent, {
      step: 4,
      literals: true,
    });
    const tail = rest.length > 0 ? "" : trailing();
    lines.push({ text: prefix + first.slice(indent + (isItem ? 1 : 2)) + tail, path, role: "line" });
    for (const text of rest) lines.push({ text, path, role: "line" });
  }

  if (isTreeMap(tree)) writeMap(tree.entries, 0, []);
  return lines;
}
