import { systemClock, type Clock } from "./clock.ts";

/** Outcome of work with a time limit. */
export type Within<T> = { readonly late: false; readonly value: T } | { readonly late: true };

/**
 * Waits for work, but not longer than `ms`. Work that is late goes on; a failure in time is thrown. The timer is gone once either
 * has happened.
 */
export async function within<T>(work: Promise<T>, ms: number, clock: Clock = systemClock): Promise<Within<T>> {
  const timer = new AbortController();
  const limit = clock.sleep(ms, timer.signal).then(
    (): Within<T> => ({ late: true }),
    (): Within<T> => ({ late: true }),
  );
  try {
    return await Promise.race([work.then((value): Within<T> => ({ late: false, value })), limit]);
  } finally {
    timer.abort();
  }
}
