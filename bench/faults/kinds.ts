import type { Bar } from "./bars.ts";

/** Times that a fault took, in the results of `npm run chaos`; in ms. */
interface FaultTimes {
  readonly name: string;
  readonly gapMs: { readonly etcd?: number; readonly kubernetes?: number };
  readonly recoveryMs: number;
}

/** The file that a run of `npm run chaos` writes, as far as it is read here. */
export interface FaultRun {
  readonly results: readonly FaultTimes[];
  /** Load of the host when the run began. */
  readonly load: number;
}

/** Figures of a fault, in ms, by the words that people read. */
export const measures: Readonly<Record<string, (fault: FaultTimes) => number>> = {
  "no etcd": ({ gapMs }) => gapMs.etcd ?? 0,
  "no Kubernetes API": ({ gapMs }) => gapMs.kubernetes ?? 0,
  "until healthy": ({ recoveryMs }) => recoveryMs,
};

/** Faults of one kind, with the spread of each measure in seconds. */
interface FaultKind {
  readonly name: string;
  readonly count: number;
  readonly times: Readonly<Record<string, Bar>>;
}

/** Sums faults up by kind, in alphabetical order. */
export function kindsOf(faults: readonly FaultTimes[]): readonly FaultKind[] {
  const kinds = [...Map.groupBy(faults, ({ name }) => name)].map(([name, all]): FaultKind => {
    const spreads = Object.entries(measures).map(([what, of]) => [what, spreadOf(all.map((each) => of(each) / 1000))]);
    return { name, count: all.length, times: Object.fromEntries(spreads) as Readonly<Record<string, Bar>> };
  });
  return kinds.sort((left, right) => left.name.localeCompare(right.name));
}

function spreadOf(values: readonly number[]): Bar {
  const sorted = values.toSorted((left, right) => left - right);
  return { p50: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
}
