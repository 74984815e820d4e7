import { setImmediate as turn } from "node:timers/promises";
import type { ManualClock } from "@talos-ts/base";
import type { ControllerStatus, Runtime } from "@talos-ts/cosi";

/** Turns of the event loop without any change after which nothing more will come: an event may wait for the next one. */
const quietTurns = 3;
/** How often a controller that fails is tried again: what it needs may come from one that failed, too. */
const attempts = 3;

/**
 * Resolves when no controller has anything left to do: all wait, or fail again and again. Controllers that only time would
 * wake are not waited for.
 *
 * @param clock That of the runtime; it stands still but for retries.
 */
export async function waitUntilIdle(runtime: Runtime, clock: ManualClock, signal: AbortSignal): Promise<void> {
  await waitUntilQuiet(runtime, signal);
  for (let left = attempts; left > 0; left -= 1) {
    const due = runtime.status().flatMap(({ retryAt }) => retryAt ?? []);
    if (due.length === 0) return;
    await clock.advance(Math.max(...due) - clock.now());
    await waitUntilQuiet(runtime, signal);
  }
}

async function waitUntilQuiet(runtime: Runtime, signal: AbortSignal): Promise<void> {
  // What was written last may not have reached anybody yet.
  await turn();
  for await (const _changed of runtime.followStatus(signal)) if (await isQuiet(runtime)) return;
  signal.throwIfAborted();
}

async function isQuiet(runtime: Runtime): Promise<boolean> {
  const before = progress(runtime);
  if (before === undefined) return false;
  for (let left = quietTurns; left > 0; left -= 1) {
    await turn();
    if (progress(runtime) !== before) return false;
  }
  return true;
}

/** How far controllers have come; `undefined` while one is at work. */
function progress(runtime: Runtime): string | undefined {
  const statuses = runtime.status();
  if (statuses.some(isBusy)) return undefined;
  return statuses.map(({ reconciles, restarts, failures }) => `${reconciles}/${restarts}/${failures}`).join();
}

function isBusy({ state }: ControllerStatus): boolean {
  return state === "starting" || state === "reconciling";
}
