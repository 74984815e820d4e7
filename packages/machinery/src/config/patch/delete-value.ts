import { OsError } from "@talos-ts/base";
import type { ConfigDocument } from "../config.ts";
import type { Type } from "../schema/type.ts";
import type { Deletion } from "./deletion.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * The value of a document without what a deletion names.
 *
 * @throws {OsError} `config/patch-delete` when there is nothing to delete
 */
export function deleteFrom(document: ConfigDocument, deletion: Deletion): unknown {
  try {
    return remove(document.schema.type, document.value, deletion.path, deletion);
  } catch (error) {
    const path = deletion.path.join(".");
    const target = `${document.schema.apiVersion}/${document.kind}`;
    const prefix =
      deletion.name === ""
        ? `patch delete: path '${path}' in document '${target}'`
        : `named patch delete: document ${target}`;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OsError({
      kind: "invalid-argument",
      code: "config/patch-delete",
      message: `${prefix}: failed to delete path '${path}': ${reason}`,
      cause: error,
    });
  }
}

function lookupFailed(): never {
  throw new Error("lookup failed");
}

function remove(type: Type<unknown>, value: unknown, path: readonly string[], deletion: Deletion): unknown {
  const [step = "", ...rest] = path;
  if (type.is === "object") {
    const field = Object.hasOwn(type.fields, step) ? type.fields[step] : undefined;
    if (field === undefined) return lookupFailed();
    const values = value as Values;
    if (rest.length === 0) return without(values, step);
    const inner = values[step] ?? (field.inlineStruct === true ? {} : lookupFailed());
    return { ...values, [step]: remove(field.type, inner, rest, deletion) };
  }
  if (type.is === "dictionary" || type.is === "any") return removeKey(type, value, step, rest, deletion);
  if (type.is === "array") return removeItem(value as readonly unknown[], step, rest, deletion);
  return lookupFailed();
}

function removeKey(
  type: Type<unknown>,
  value: unknown,
  step: string,
  rest: readonly string[],
  deletion: Deletion,
): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) {
    return lookupFailed();
  }
  const values = value as Values;
  if (rest.length === 0) return without(values, step);
  const item = type.is === "dictionary" ? type.item : type;
  return { ...values, [step]: remove(item, values[step], rest, deletion) };
}

function removeItem(
  items: readonly unknown[],
  step: string,
  rest: readonly string[],
  { key, value }: Deletion,
): unknown {
  if (rest.length > 0) throw new Error("searching for complex paths in slices is not supported");
  if (!step.startsWith("[")) throw new Error("searching for non-integer keys in slices is not supported");
  const index = items.findIndex((item) => {
    const found = typeof item === "object" && item !== null ? (item as Values)[key] : undefined;
    return (typeof found === "object" || found === undefined ? undefined : String(found)) === value;
  });
  return index < 0 ? lookupFailed() : items.toSpliced(index, 1);
}

function without(values: Values, key: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));
}
