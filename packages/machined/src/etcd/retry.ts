import { describeError, OsError, type Clock } from "@talos-ts/base";

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time to go on, milliseconds. */
  readonly timeoutMs: number;
  /** Between attempts, milliseconds; of a list, the last one is repeated. */
  readonly intervalMs: number | readonly [number, ...number[]];
  /** Added to the interval, at most, milliseconds. @default {0} */
  readonly jitterMs?: number;
  /** Limit of one attempt, milliseconds. @default {30_000} */
  readonly attemptTimeoutMs?: number;
  /** Gets the text of an error, once for each time it changes. */
  readonly log: (message: string) => void;
}

/**
 * Tries until an attempt succeeds, the signal aborts or the time is over.
 *
 * @throws the reason of the signal, or the last error once the time is over
 */
export async function retryUntilDone<T>(
  options: RetryOptions,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, signal, timeoutMs, intervalMs, jitterMs = 0, attemptTimeoutMs = 30_000 } = options;
  const until = clock.monotonic() + timeoutMs;
  const pauses = typeof intervalMs === "number" ? [intervalMs] : intervalMs;
  let failures = 0;
  let shown = "";
  for (;;) {
    signal.throwIfAborted();
    try {
      return await limited(clock, attemptTimeoutMs, signal, attempt);
    } catch (err) {
      signal.throwIfAborted();
      const text = describeError(err);
      if (clock.monotonic() >= until) {
        throw new OsError({ kind: "deadline-exceeded", code: "etcd/retry-timeout", message: "timeout", cause: err });
      }
      if (text !== shown) options.log(`retrying error: ${text}`);
      shown = text;
    }
    const pauseMs = pauses[Math.min(failures, pauses.length - 1)] ?? 0;
    failures += 1;
    await clock.sleep(pauseMs + Math.random() * jitterMs, signal);
  }
}

/** Aborts the attempt when its time is over. */
async function limited<T>(
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const late = new AbortController();
  clock.sleep(timeoutMs, AbortSignal.any([signal, done.signal])).then(
    () => late.abort(new OsError({ kind: "deadline-exceeded", message: "context deadline exceeded" })),
    () => undefined,
  );
  try {
    return await attempt(AbortSignal.any([signal, late.signal]));
  } finally {
    done.abort();
  }
}
