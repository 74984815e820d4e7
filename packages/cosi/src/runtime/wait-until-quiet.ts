import type { Runtime } from "./runtime.ts";
import type { ControllerStatus } from "./status.ts";

/** Turns of the event loop without any change after which nothing more will come: an event may wait for the next one. */
const quietTurns = 3;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Resolves when no controller has work: all wait for a change, or for a time at which they retry.
 *
 * @throws the reason of `signal` when it aborts before.
 */
export async function waitUntilQuiet(runtime: Runtime, signal?: AbortSignal): Promise<void> {
  // What was written last may not have reached anybody yet.
  await turn();
  for await (const _changed of runtime.followStatus(signal)) if (await isQuiet(runtime)) return;
  signal?.throwIfAborted();
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

/** Counts of all controllers; `undefined` while one is at work. */
function progress(runtime: Runtime): string | undefined {
  const statuses = runtime.status();
  if (statuses.some(isBusy)) return undefined;
  return statuses.map(({ reconciles, restarts, failures }) => `${reconciles}/${restarts}/${failures}`).join();
}

function isBusy({ state }: ControllerStatus): boolean {
  return state === "starting" || state === "reconciling";
}
