import { inlineText, isTreeMap, type Tree } from "../../yaml/emit.ts";

/** A tree on one line, as it stands inside brackets. */
export function flowText(tree: Tree): string {
  if (Array.isArray(tree)) return `[${(tree as readonly Tree[]).map(flowText).join(", ")}]`;
  if (!isTreeMap(tree)) return safe(inlineText(tree));
  return `{${tree.entries.map(({ key, value }) => `${flowKey(key)}: ${flowText(value)}`).join(", ")}}`;
}

export function flowKey(key: string): string {
  return safe(inlineText(key));
}

/** A bare text ends at a bracket or a comma. */
function safe(text: string): string {
  return /^[^'"].*[,[\]{}]/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
