import { setTimeout as delay } from "node:timers/promises";

/** Time as a collaborator, so that tests control it. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds; only differences mean anything. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this process: wall time from `Date`, monotonic time from `performance`, timers of Node.js. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (err) {
      // node:timers wraps the reason in its own AbortError; callers compare with the reason they gave.
      signal?.throwIfAborted();
      throw err;
    }
  },
};

/** A clock that stands still until told to advance. */
export interface ManualClock extends Clock {
  /** Moves time forward, waking sleepers in order, and lets their continuations run in between. */
  advance(ms: number): Promise<void>;
  /** Number of pending sleeps. */
  readonly sleeping: number;
}

/**
 * Creates a clock for tests that moves only when it is told to.
 *
 * @param startMs First wall time, in milliseconds since the epoch.
 */
export function createManualClock(startMs = 0): ManualClock {
  let current = startMs;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  return {
    now: () => current,
    monotonic: () => current,
    get sleeping() {
      return sleepers.size;
    },
    sleep(ms, signal) {
      return new Promise<void>((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error);
        const sleeper = {
          at: current + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener("abort", aborted);
            resolve();
          },
        };
        const aborted = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener("abort", aborted, { once: true });
        sleepers.add(sleeper);
      });
    },
    async advance(ms) {
      const end = current + ms;
      for (;;) {
        const due = [...sleepers].filter((sleeper) => sleeper.at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        current = Math.max(current, due.at);
        due.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      current = end;
    },
  };
}
