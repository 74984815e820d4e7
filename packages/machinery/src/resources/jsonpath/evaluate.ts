import { isRecord } from "@talos-ts/base";
import { jsonPathError } from "./error.ts";
import type { Operator, Part, Path, Slice, Step } from "./syntax.ts";

/** Settings of a JSONPath evaluation. */
export interface JsonPathOptions {
  /** True when a field that no value has is an empty result and not an error. @default {false} */
  readonly allowMissing?: boolean;
}

type Values = readonly unknown[];

/** The results of each part of a template, in order. */
export function evaluate(parts: readonly Part[], value: unknown, options: JsonPathOptions): readonly Values[] {
  return parts.flatMap((part): readonly Values[] => {
    switch (part.is) {
      case "text":
        return [[part.text]];
      case "path":
        return [walk(part.path, [value], options)];
      case "range":
        return walk(part.path, [value], options).flatMap((item) => evaluate(part.body, item, options));
      default:
        return part satisfies never;
    }
  });
}

function walk(path: Path, values: Values, options: JsonPathOptions): Values {
  return path.reduce<Values>((current, step) => take(step, current, options), values);
}

function take(step: Step, values: Values, options: JsonPathOptions): Values {
  switch (step.do) {
    case "literal":
      return values.map(() => step.value);
    case "field":
      return takeField(step.name, values, options);
    case "wildcard":
      return values.flatMap(childrenOf);
    case "recursive":
      return values.flatMap(withDescendants);
    case "slice":
      return values.filter((value) => !isNil(value)).flatMap((value) => takeSlice(step.slice, value));
    case "union":
      return step.paths.flatMap((path) => walk(path, values, options));
    case "filter":
      return values.flatMap((value) => takeMatching(step, value, options));
    default:
      return step satisfies never;
  }
}

function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function takeField(name: string, values: Values, { allowMissing = false }: JsonPathOptions): Values {
  const found = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
  if (found.length === 0 && values.length > 0 && !allowMissing) throw jsonPathError(`${name} is not found`);
  return found;
}

function childrenOf(value: unknown): Values {
  if (Array.isArray(value)) return value as Values;
  return isRecord(value) ? Object.values(value) : [];
}

function withDescendants(value: unknown): Values {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(withDescendants)];
}

function takeSlice(slice: Slice, value: unknown): Values {
  if (!Array.isArray(value)) throw jsonPathError(`${JSON.stringify(value)} is not array or slice`);
  const items: Values = value;
  const { length } = items;
  const at = (index: number) => (index < 0 ? index + length : index);
  const from = at(slice.from ?? 0);
  const to = slice.single ? from + 1 : at(slice.to ?? length);
  if (from === to) return [];
  const outside = from < 0 || from >= length ? from : to < 0 || to > length ? to - 1 : undefined;
  if (outside !== undefined) throw jsonPathError(`array index out of bounds: index ${outside}, length ${length}`);
  if (from > to) throw jsonPathError(`starting index ${from} is greater than ending index ${to}`);
  const step = slice.step ?? 1;
  if (step === 0) throw jsonPathError("step must be > 0");
  return items.slice(from, to).filter((_, index) => index % step === 0);
}

function takeMatching(step: Step & { readonly do: "filter" }, value: unknown, options: JsonPathOptions): Values {
  if (!Array.isArray(value)) {
    throw jsonPathError(`${JSON.stringify(value)} is not array or slice and cannot be filtered`);
  }
  const { left, test } = step;
  return (value as Values).filter((item) => {
    if (test === undefined) return walk(left, [item], { allowMissing: true }).length > 0;
    const lefts = walk(left, [item], options);
    const rights = walk(test.right, [item], options);
    if (lefts.length > 1 || rights.length > 1) throw jsonPathError("can only compare one element at a time");
    return lefts.length === 1 && rights.length === 1 && compare(test.operator, lefts[0], rights[0]);
  });
}

const comparisons: Readonly<Record<Operator, (order: number) => boolean>> = {
  "==": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

function compare(operator: Operator, left: unknown, right: unknown): boolean {
  if (typeof left === "string" && typeof right === "string") {
    return comparisons[operator](left < right ? -1 : left > right ? 1 : 0);
  }
  if (typeof left === "number" && typeof right === "number") return comparisons[operator](left - right);
  if (typeof left === "boolean" && typeof right === "boolean") {
    if (operator === "==" || operator === "!=") return (left === right) === (operator === "==");
  }
  throw jsonPathError("incompatible types for comparison");
}
