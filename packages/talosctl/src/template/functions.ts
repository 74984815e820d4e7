import { formatValues } from "./format.ts";
import { templateError } from "./template-error.ts";
import { isList, isObject, isTrue, showValue, type TemplateValue } from "./values.ts";

type TemplateFunction = (...args: readonly TemplateValue[]) => TemplateValue;

const compare =
  (holds: (a: string | number, b: string | number) => boolean): TemplateFunction =>
  (a, b) => {
    if (typeof a === "number" && typeof b === "number") return holds(a, b);
    if (typeof a === "string" && typeof b === "string") return holds(a, b);
    throw templateError(`cannot compare ${showValue(a)} with ${showValue(b)}: both must be numbers, or texts`);
  };

/** Functions of templates by name, as Go has them. */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  and: (...args) => args.find((each) => !isTrue(each)) ?? args.at(-1),
  or: (...args) => args.find(isTrue) ?? args.at(-1),
  not: (value) => !isTrue(value),
  eq: compare((a, b) => a === b),
  ne: compare((a, b) => a !== b),
  lt: compare((a, b) => a < b),
  le: compare((a, b) => a <= b),
  gt: compare((a, b) => a > b),
  ge: compare((a, b) => a >= b),
  len(value) {
    if (typeof value === "string") return Buffer.byteLength(value);
    if (isList(value)) return value.length;
    if (isObject(value) && value.elements !== undefined) return value.elements.size;
    throw templateError(`len of ${showValue(value)}`);
  },
  index: (value, ...keys) => keys.reduce(elementOf, value),
  print: (...args) => args.map(showValue).join(" "),
  printf(format, ...args) {
    if (typeof format !== "string") throw templateError(`printf wants a format, not ${showValue(format)}`);
    return formatValues(format, args);
  },
};

function elementOf(value: TemplateValue, key: TemplateValue): TemplateValue {
  if (isObject(value) && typeof key === "string") return value.member(key, []);
  if (isList(value) && typeof key === "number") {
    if (key in value) return value[key];
    throw templateError(`index ${String(key)} is outside of ${showValue(value)}`);
  }
  throw templateError(`cannot index ${showValue(value)} with ${showValue(key)}`);
}
