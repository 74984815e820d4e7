import { createBackoff, type BackoffOptions } from "./backoff.ts";
import { systemClock, type Clock } from "./clock.ts";

/** Settings of `runForever`. */
export interface RunForeverOptions {
  /** Ends it all. */
  readonly signal: AbortSignal;
  /** Between one run and the next; starts over whenever a run reports that it works. @default {{}} */
  readonly backoff?: BackoffOptions;
  /** @default {systemClock} */
  readonly clock?: Clock;
  /** A run ended; `error` is `undefined` when it just returned. */
  readonly onEnd?: (error: unknown, delayMs: number) => void;
}

/**
 * Runs what should never end, again whenever it does, until the signal aborts; never rejects.
 *
 * @param run Gets a function to call when the run has begun to work.
 */
export async function runForever(
  run: (works: () => void) => Promise<void>,
  { signal, backoff = {}, clock = systemClock, onEnd }: RunForeverOptions,
): Promise<void> {
  const delays = createBackoff(backoff);
  while (!signal.aborted) {
    let failure: unknown;
    try {
      await run(() => delays.reset());
    } catch (err) {
      failure = err;
    }
    if (signal.aborted) return;
    const delayMs = delays.next();
    onEnd?.(failure, delayMs);
    // Rejects only when the signal aborts, which the loop sees.
    await clock.sleep(delayMs, signal).catch(() => undefined);
  }
}
