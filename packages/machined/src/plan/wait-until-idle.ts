import type { ManualClock } from "@talos-ts/base";
import { waitUntilQuiet, type Runtime } from "@talos-ts/cosi";

/** Number of retries of a controller that fails: what it needs may come from one that failed, too. */
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
