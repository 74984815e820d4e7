/** Timing of retries: exponential growth with jitter. */
export interface BackoffOptions {
  /** @default {500} */
  readonly initialMs?: number;
  /** @default {60_000} */
  readonly maxMs?: number;
  /** Growth per attempt. @default {1.5} */
  readonly factor?: number;
  /** Each delay is spread over `±jitter` of itself. Range 0 to 1. @default {0.5} */
  readonly jitter?: number;
  /** Source of randomness in [0, 1), for tests. @default {Math.random} */
  readonly random?: () => number;
}

/** Delays between attempts: they grow until `maxMs` and start over after `reset()`. */
export interface Backoff {
  /** The next delay in milliseconds. */
  next(): number;
  reset(): void;
  /** Number of delays since the last reset. */
  readonly attempts: number;
}

/** Creates an exponential backoff that starts anew with `reset()`. */
export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { initialMs = 500, maxMs = 60_000, factor = 1.5, jitter = 0.5, random = Math.random } = options;
  let attempts = 0;
  return {
    get attempts() {
      return attempts;
    },
    next() {
      const base = Math.min(maxMs, initialMs * factor ** attempts);
      attempts += 1;
      return base * (1 - jitter + 2 * jitter * random());
    },
    reset() {
      attempts = 0;
    },
  };
}
