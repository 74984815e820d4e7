/** From values to the tree the writer prints: which fields, in which order, with which comments. */

import type { Property, ObjectType, Type } from "../schema/type.ts";
import type { Tree, TreeEntry } from "../../yaml/emit.ts";
import { compareKeys } from "../../yaml/key-order.ts";
import { isPlain } from "../../yaml/scalar-style.ts";
import { commentsOf, type CommentOptions } from "./comments.ts";

type Values = Readonly<Record<string, unknown>>;

export function toTree(type: Type<unknown>, value: unknown, comments: CommentOptions): Tree {
  switch (type.is) {
    case "scalar":
      return type.print(value);
    case "array":
      return (value as readonly unknown[]).map((item) => toTree(type.item, item, comments));
    case "dictionary":
      return mapTree(value as Values, (item) => toTree(type.item, item, comments));
    case "object":
      return { entries: objectEntries(type, value as Values, comments) };
    case "any":
      return anyTree(value);
    case "argument":
    default:
      return argumentTree(value as string | readonly string[]);
  }
}

/** An argument without a value is null. */
function argumentTree(value: string | readonly string[]): Tree {
  if (typeof value !== "string") return value.map(argumentText);
  return value === "" ? null : argumentText(value);
}

/** Arguments are marked as strings, so words that only an older YAML misreads stay bare. */
function argumentText(text: string): Tree {
  return isPlain(text) ? { raw: text } : text;
}

function objectEntries(type: ObjectType<unknown>, values: Values, comments: CommentOptions): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  const examples: string[] = [];
  for (const [key, field] of Object.entries(type.fields)) {
    const tree = fieldTree(field, values[key], comments);
    if (tree !== undefined) entries.push({ key, value: tree, ...commentsOf(field, tree, comments) });
    else examples.push(...exampleLines(key, field, comments));
  }
  const last = entries.at(-1);
  if (examples.length > 0 && last !== undefined)
    entries[entries.length - 1] = { ...last, foot: [...(last.foot ?? []), ...examples] };
  return entries;
}

/** @returns nothing when the field is left out */
function fieldTree(field: Property<unknown>, value: unknown, comments: CommentOptions): Tree | undefined {
  const kept = field.always === true || (comments.docs && field.keepEmpty === true);
  if (value === undefined) {
    if (field.always !== true) return undefined;
    return field.inlineStruct === true ? toTree(field.type, {}, comments) : zeroTree(field.type);
  }
  if (!kept && isEmpty(field, value)) return undefined;
  return toTree(field.type, value, comments);
}

function isEmpty(field: Property<unknown>, value: unknown): boolean {
  if (field.type.is === "array") return (value as readonly unknown[]).length === 0;
  if (field.type.is === "dictionary" || field.type.is === "any") return Object.keys(value as object).length === 0;
  if (field.type.is !== "object" || field.inlineStruct !== true) return false;
  if (field.type.isZero?.(value) === true) return true;
  return Object.entries(field.type.fields).every(([key, inner]) => {
    const item = (value as Values)[key];
    return item === undefined || isEmpty(inner, item);
  });
}

function zeroTree(type: Type<unknown>): Tree {
  if (type.is === "scalar") return type.zero;
  if (type.is === "array") return [];
  return type.is === "object" ? null : { entries: [] };
}

function mapTree(values: Values, item: (value: unknown) => Tree): Tree {
  return {
    entries: Object.keys(values)
      .toSorted(compareKeys)
      .map((key) => ({ key, value: item(values[key]) })),
  };
}

function anyTree(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(anyTree);
  if (typeof value === "object" && value !== null) return mapTree(value as Values, anyTree);
  return value as Tree;
}

function exampleLines(key: string, field: Property<unknown>, comments: CommentOptions): readonly string[] {
  if (!comments.examples || field.example === undefined || field.deprecated !== undefined || field.hidden === true)
    return [];
  const tree: Tree = {
    entries: [{ key, value: toTree(field.type, field.example, { ...comments, docs: false, examples: false }) }],
  };
  return ["", ...(comments.docs ? [`# # ${field.doc}`] : []), ...comments.render(tree).map((line) => `# ${line}`)];
}
