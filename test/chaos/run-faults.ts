import { setTimeout as pause } from "node:timers/promises";
import type { ChaosCluster } from "./chaos-cluster.ts";
import type { FaultContext } from "./fault.ts";
import { findViolations } from "./find-violations.ts";
import { untilHealthy } from "./health.ts";
import type { Operation } from "./history.ts";
import type { PlannedFault } from "./schedule.ts";
import type { Records, Writers } from "./writers.ts";

/** Result of a fault. Times are in ms. */
export interface FaultResult {
  readonly name: string;
  /** Choice of the seed, as in `Fault.variant`. */
  readonly variant?: string;
  readonly node: string;
  /** Longest time without an acknowledged operation, by store, from the fault until all was well. */
  readonly gapMs: Readonly<Record<string, number>>;
  /** From the end of the fault until all was well. */
  readonly recoveryMs: number;
  /** Operations by their end, by store. */
  readonly counts: Readonly<Record<string, Records["counts"]>>;
  /** Violations that were found: lost writes, histories that nothing explains, a cluster that does not recover. */
  readonly violations: readonly string[];
  /** Operations of the writers, where there are violations. */
  readonly history?: readonly Operation[];
}

export interface RunOptions {
  readonly cluster: ChaosCluster;
  readonly writers: readonly Writers[];
  readonly planned: readonly PlannedFault[];
  /** Aborts when the run shall end; the fault of the moment is undone. */
  readonly signal: AbortSignal;
  /** Time for the cluster to recover, in ms. */
  readonly recoveryLimitMs: number;
  /** Called after each fault; the run ends at the first one with violations. */
  readonly onResult: (result: FaultResult, index: number) => void;
}

/** Writes before the fault begins, in ms, so that there is something to lose. */
const calmMs = 1500;

/** Does faults to a cluster one after the other while writers work, and checks after each of them what must hold. */
export async function runFaults(options: RunOptions): Promise<readonly FaultResult[]> {
  const { cluster, writers, planned, signal, recoveryLimitMs, onResult } = options;
  const results: FaultResult[] = [];
  const appended = writers.map(() => new Map<string, string>());
  for (const [index, { fault, target }] of planned.entries()) {
    await untilHealthy(cluster, recoveryLimitMs, signal);
    let context = await chooseTarget(cluster, fault.target, target);
    if (fault.prepare !== undefined) {
      await fault.prepare(context);
      await untilHealthy(cluster, recoveryLimitMs, signal);
      if (fault.target === "leader") context = await chooseTarget(cluster, fault.target, target);
    }
    for (const each of writers) each.begin();
    await pause(calmMs, undefined, { signal });

    const violations: string[] = [];
    const startedMs = performance.now();
    let endedMs = startedMs;
    {
      await using undo = new AsyncDisposableStack();
      await fault.inject({ ...context, undo });
      await pause(fault.lastsMs, undefined, { signal });
      await undo.disposeAsync();
      endedMs = performance.now();
    }
    await untilHealthy(cluster, recoveryLimitMs, signal).catch((err: unknown) => {
      signal.throwIfAborted();
      violations.push((err as Error).message);
    });
    const healthyMs = performance.now();
    const records = await Promise.all(
      writers.map(async (each) => {
        const found = await each.collect().catch((err: unknown) => {
          violations.push((err as Error).message);
          return undefined;
        });
        return [each.store, found] as const;
      }),
    );
    for (const [at, [store, found]] of records.entries()) {
      if (found === undefined) continue;
      violations.push(...findViolations(store, found.history));
      for (const [key, value] of found.appended) appended[at]?.set(key, value);
    }
    const byStore = <T>(of: (found: Records) => T): Readonly<Record<string, T>> =>
      Object.fromEntries(records.flatMap(([store, found]) => (found === undefined ? [] : [[store, of(found)]])));
    const result: FaultResult = {
      name: fault.name,
      ...(fault.variant !== undefined && { variant: fault.variant(target) }),
      node: context.node.name,
      gapMs: byStore((found) => longestGap(found.acknowledgedMs, startedMs, healthyMs)),
      recoveryMs: healthyMs - endedMs,
      counts: byStore(({ counts }) => counts),
      violations,
      ...(violations.length > 0 && { history: records.flatMap(([, found]) => found?.history ?? []) }),
    };
    results.push(result);
    onResult(result, index);
    if (violations.length > 0) break;
  }
  await verifyAppended(options, appended, results);
  return results;
}

/** Reads everything that was ever acknowledged under a key of its own: a later fault must not take it away. */
async function verifyAppended(
  { writers, onResult, signal }: RunOptions,
  appended: readonly ReadonlyMap<string, string>[],
  results: FaultResult[],
): Promise<void> {
  const lost: string[] = [];
  for (const [index, each] of writers.entries()) {
    signal.throwIfAborted();
    lost.push(...(await each.missing(appended[index] ?? new Map())).map((key) => `${each.store}: ${key} is lost`));
  }
  if (lost.length === 0) return;
  const nothing = { gapMs: {}, recoveryMs: 0, counts: {} };
  const result: FaultResult = { ...nothing, name: "at the end", node: "", violations: lost };
  results.push(result);
  onResult(result, results.length - 1);
}

async function chooseTarget(
  cluster: ChaosCluster,
  wanted: "leader" | "any",
  number: number,
): Promise<Omit<FaultContext, "undo">> {
  const nodes = cluster.plan.nodes.filter(({ type }) => type === "controlplane");
  const node = (wanted === "leader" ? await cluster.leader() : undefined) ?? nodes[number % nodes.length];
  if (node === undefined) throw new Error("the cluster has no control plane");
  return { cluster, node, others: nodes.filter((each) => each !== node), draw: number };
}

/** The longest time between two acknowledgements of a span, its ends included. */
function longestGap(acknowledgedMs: readonly number[], fromMs: number, toMs: number): number {
  const inside = acknowledgedMs.filter((atMs) => atMs > fromMs && atMs < toMs);
  return [...inside, toMs].reduce(
    ({ longest, last }, atMs) => ({ longest: Math.max(longest, atMs - last), last: atMs }),
    { longest: 0, last: fromMs },
  ).longest;
}
