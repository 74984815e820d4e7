export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

export const mebibyte = 1024 ** 2;

/** The median of every number of several measurements. */
export function medians<T extends { readonly [K in keyof T]: number }>(loads: readonly T[]): T {
  const [first] = loads;
  if (first === undefined) throw new Error("Nothing was measured");
  const keys = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, median(loads.map((load) => load[key]))])) as T;
}
