import { labelNumber } from "./label-number.ts";
import type { LabelTerm } from "./query.ts";
import type { Labels } from "./resource.ts";

/**
 * Each operator on a label that is set. `undefined` means that the question has no answer, which is a "no" even when the
 * term is inverted.
 */
const operators: Readonly<
  Record<LabelTerm["op"], (value: string, wanted: readonly string[], first: string) => boolean | undefined>
> = {
  exists: () => true,
  equal: (value, _, first) => value === first,
  in: (value, wanted) => wanted.includes(value),
  lt: (value, _, first) => value < first,
  lte: (value, _, first) => value <= first,
  "lt-numeric": (value, _, first) => compareNumbers(value, first, (a, b) => a < b),
  "lte-numeric": (value, _, first) => compareNumbers(value, first, (a, b) => a <= b),
};

const comparisons: ReadonlySet<LabelTerm["op"]> = new Set(["lt", "lte", "lt-numeric", "lte-numeric"]);

/** Reports whether labels satisfy one term. A comparison with a label that is not set never holds, inverted or not. */
export function matchesTerm(labels: Labels, term: LabelTerm): boolean {
  const answer = evaluate(labels, term);
  return answer !== undefined && answer !== term.invert;
}

function evaluate(labels: Labels, term: LabelTerm): boolean | undefined {
  const value = Object.hasOwn(labels, term.key) ? labels[term.key] : undefined;
  if (value === undefined) return comparisons.has(term.op) ? undefined : false;
  const [first] = term.values;
  if (first === undefined) return term.op === "exists";
  return operators[term.op](value, term.values, first);
}

function compareNumbers(left: string, right: string, holds: (a: bigint, b: bigint) => boolean): boolean | undefined {
  const a = labelNumber(left);
  const b = labelNumber(right);
  return a === undefined || b === undefined ? undefined : holds(a, b);
}
