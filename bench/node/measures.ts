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

/** Measurements of both sides, taken by turns: the one beside the other. */
export interface Turn<T> {
  readonly ours: T;
  readonly peer: T;
}

/**
 * Medians of both sides for one number, and the median of the ratios of the turns. What else the machine does changes from turn to
 * turn and hits the two halves of a turn alike.
 */
export function compareTurns<T extends { readonly [K in keyof T]: number }>(
  turns: readonly Turn<T>[],
  key: keyof T,
  better: "more" | "less",
): { readonly better: "more" | "less"; readonly ours: number; readonly peer: number; readonly ratio: number } {
  const ratios = turns.map(({ ours, peer }) => (better === "more" ? ours[key] / peer[key] : peer[key] / ours[key]));
  return {
    better,
    ours: median(turns.map(({ ours }) => ours[key])),
    peer: median(turns.map(({ peer }) => peer[key])),
    ratio: median(ratios),
  };
}
