import { setTimeout as pause } from "node:timers/promises";
import type { NodePlan } from "@talos-ts/provision";
import type { ChaosCluster } from "./chaos-cluster.ts";
import type { ClockShifter } from "./shift-clock.ts";

/** Time between two looks for new processes, in ms. */
const lookMs = 250;

/** The node whose clock jumps, and the stack that takes how it is undone. */
export interface NodeClockContext {
  readonly cluster: Pick<ChaosCluster, "processes">;
  readonly node: NodePlan;
  readonly undo: AsyncDisposableStack;
}

/**
 * Shifts the time of day of all processes of a node, also of those that start later, until the fault is over. One that starts has the true
 * time for up to half a second.
 */
export async function shiftNodeClock(
  { cluster, node, undo }: NodeClockContext,
  shifter: ClockShifter,
  seconds: number,
): Promise<void> {
  const over = new AbortController();
  let looking: Promise<void> = Promise.resolve();
  undo.defer(async () => {
    over.abort();
    // What it failed with is thrown when everything is undone.
    const [outcome] = await Promise.allSettled([looking]);
    await restoreNodeClock(cluster, node, shifter);
    if (outcome.status === "rejected") throw outcome.reason;
  });
  let known = await running(cluster, node);
  const look = async (): Promise<void> => {
    await pause(lookMs, undefined, { signal: over.signal });
    const present = await running(cluster, node);
    // A child that is new may still share the memory of its parent (vfork(2)), which is not stopped with it.
    const settled = [...present].filter((pid) => known.has(pid));
    known = present;
    await Promise.all(
      settled.map(async (pid) => {
        if (!(await shifter.isShifted(pid))) await shifter.shift(pid, seconds);
      }),
    );
  };
  await look();
  looking = (async () => {
    while (!over.signal.aborted) await look();
  })().catch((err: unknown) => {
    if (!over.signal.aborted) throw err;
  });
  looking.catch(() => undefined);
}

/** Looks until no process has a shifted time, twice in a row: one that was just begun has that of its parent. */
async function restoreNodeClock(
  cluster: NodeClockContext["cluster"],
  node: NodePlan,
  shifter: ClockShifter,
): Promise<void> {
  for (let clean = 0; clean < 2;) {
    const restored = await Promise.all([...(await running(cluster, node))].map((pid) => shifter.restore(pid)));
    clean = restored.includes(true) ? 0 : clean + 1;
  }
}

async function running(cluster: NodeClockContext["cluster"], node: NodePlan): Promise<ReadonlySet<number>> {
  return new Set((await cluster.processes(node, "")).map(({ pid }) => pid));
}
