import { systemClock, type Clock } from "@talos-ts/base";

export interface AttemptLimitOptions {
  /** Failures in a row before an address must slow down. @default {20} */
  readonly burst?: number;
  /** Failures per second after that. @default {1} */
  readonly perSecond?: number;
  /** Addresses remembered; the one that failed longest ago is forgotten first. @default {4096} */
  readonly maxAddresses?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * Slows down addresses that fail to authenticate.
 *
 * The join token cannot be guessed; this keeps guessing from costing anything. The wait is short, because good machines may
 * share an address with bad ones.
 */
export interface AttemptLimit {
  isBlocked(address: string): boolean;
  /** Notes a failure; `true` when it is the one that blocks the address. */
  fail(address: string): boolean;
}

interface Account {
  failures: number;
  atMs: number;
}

export function createAttemptLimit(options: AttemptLimitOptions = {}): AttemptLimit {
  const { burst = 20, perSecond = 1, maxAddresses = 4096, clock = systemClock } = options;
  /** In order of last failure. */
  const accounts = new Map<string, Account>();

  function failuresOf(address: string): number {
    const account = accounts.get(address);
    if (account === undefined) return 0;
    return Math.max(0, account.failures - ((clock.monotonic() - account.atMs) / 1000) * perSecond);
  }

  return {
    isBlocked: (address) => failuresOf(address) > burst - 1,
    fail(address) {
      const before = failuresOf(address);
      accounts.delete(address);
      accounts.set(address, { failures: Math.min(burst, before + 1), atMs: clock.monotonic() });
      const [oldest] = accounts.keys();
      if (accounts.size > maxAddresses && oldest !== undefined) accounts.delete(oldest);
      return before <= burst - 1 && before + 1 > burst - 1;
    },
  };
}
