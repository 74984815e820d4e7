import { equalSpecs } from "@talos-ts/cosi";

/** A field of a spec as it is printed; `undefined` where it is missing. */
export interface FieldChange {
  /** As in `mount.targetPath`; empty for a spec that is a single value. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** Fields that differ, in the order in which they are printed. Lists are compared as a whole. */
export function diffFields(before: unknown, after: unknown, path = ""): readonly FieldChange[] {
  if (equalSpecs(before, after)) return [];
  if (!isObject(before) && !isObject(after)) return [{ path, before, after }];
  const [left, right] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => diffFields(left[key], right[key], path === "" ? key : `${path}.${key}`));
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
