import { systemClock, type Clock } from "./clock.ts";
import { OsError } from "./error.ts";

/** Settings of a time limit. */
export interface TimeLimitOptions {
  /** @default {systemClock} */
  readonly clock?: Clock;
  /** Aborts the limit early, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the reason of the abort. @default an `OsError` of kind `deadline-exceeded` */
  readonly reason?: () => unknown;
}

/** A timeout on an injected clock. Disposing stops the timer; the signal does not abort afterwards. */
export interface TimeLimit extends Disposable {
  /** Aborts when the time is over, or with the outer signal. */
  readonly signal: AbortSignal;
  /** Waits for work that may ignore the signal; rejects with the reason of the abort. */
  race<T>(work: Promise<T>): Promise<T>;
}

/** Starts a timeout of `ms` milliseconds. */
export function timeLimit(ms: number, options: TimeLimitOptions = {}): TimeLimit {
  const { clock = systemClock, signal: outer, reason = () => exceeded(ms) } = options;
  const limit = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => limit.abort(reason()),
    () => undefined,
  );
  const signal = outer === undefined ? limit.signal : AbortSignal.any([outer, limit.signal]);
  return {
    signal,
    async race<T>(work: Promise<T>): Promise<T> {
      const { promise, reject } = Promise.withResolvers<never>();
      const aborted = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", aborted, { once: true });
      if (signal.aborted) aborted();
      try {
        return await Promise.race([work, promise]);
      } finally {
        signal.removeEventListener("abort", aborted);
      }
    },
    [Symbol.dispose]: () => done.abort(),
  };
}

function exceeded(ms: number): OsError {
  return new OsError({ kind: "deadline-exceeded", code: "timeout", message: `Timed out after ${String(ms)} ms` });
}
