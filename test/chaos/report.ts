import { formatTable } from "@talos-ts/base";
import type { FaultResult } from "./run-faults.ts";

const seconds = (ms: number | undefined): string => (ms === undefined ? "-" : `${(ms / 1000).toFixed(1)} s`);

/** One line about a fault, as soon as it is over. */
export function formatResult(result: FaultResult, index: number): string {
  const { name, variant, node, gapMs, recoveryMs, counts, violations } = result;
  const title = variant === undefined ? name : `${name} (${variant})`;
  const numbers = Object.entries(counts).map(
    ([store, { ok, refused, unknown }]) =>
      `${store} ${String(ok)} ok, ${String(refused)} refused, ${String(unknown)} unknown, longest gap ${seconds(gapMs[store])}`,
  );
  const verdict = violations.length === 0 ? "nothing lost" : `FAILED: ${violations.join("\n  ")}`;
  return `${String(index + 1)}. ${title} on ${node}: ${numbers.join("; ")}; recovered after ${seconds(recoveryMs)}; ${verdict}`;
}

/** Times of one kind of fault, in ms. */
interface KindSummary {
  readonly name: string;
  readonly count: number;
  /** Median and longest time without etcd, without the Kubernetes API, and until all was well. */
  readonly etcd: Spread;
  readonly kubernetes: Spread;
  readonly recovery: Spread;
}

interface Spread {
  readonly p50: number;
  readonly max: number;
}

/** Sums results up by kind of fault, in the order of their first appearance. */
function summarize(results: readonly FaultResult[]): readonly KindSummary[] {
  return [...Map.groupBy(results, ({ name }) => name)].map(([name, all]) => ({
    name,
    count: all.length,
    etcd: spreadOf(all.map(({ gapMs }) => gapMs["etcd"] ?? 0)),
    kubernetes: spreadOf(all.map(({ gapMs }) => gapMs["kubernetes"] ?? 0)),
    recovery: spreadOf(all.map(({ recoveryMs }) => recoveryMs)),
  }));
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  return { p50: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** A table of the times of every kind of fault. */
export function formatSummary(results: readonly FaultResult[]): string {
  const head = ["FAULT", "TIMES", "ETCD P50", "MAX", "KUBERNETES API P50", "MAX", "RECOVERY P50", "MAX"];
  const rows = summarize(results).map(({ name, count, etcd, kubernetes, recovery }) => [
    name,
    String(count),
    seconds(etcd.p50),
    seconds(etcd.max),
    seconds(kubernetes.p50),
    seconds(kubernetes.max),
    seconds(recovery.p50),
    seconds(recovery.max),
  ]);
  return formatTable([head, ...rows]);
}
