import { OsError, systemClock, type Clock } from "@talos-ts/base";
import type { ServerInterceptor } from "@talos-ts/grpc";
import type { ClientAddress } from "./client-address.ts";
import { limits } from "./limits.ts";

export interface RateLimitOptions {
  readonly addressOf: ClientAddress;
  /** @default {15} */
  readonly perSecond?: number;
  /** Requests before an address must slow down. @default {60} */
  readonly burst?: number;
  /** Nobody is kept waiting longer. @default {10_000} */
  readonly maxWaitMs?: number;
  /** Addresses remembered; the one that called longest ago is forgotten first. @default {16_384} */
  readonly maxAddresses?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Delays requests of an address beyond its rate (token bucket), and refuses them when the delay exceeds the deadline of the call. */
export function rateLimit(options: RateLimitOptions): ServerInterceptor {
  const { perSecond = limits.requestsPerSecond, burst = limits.requestBurst, clock = systemClock } = options;
  const { maxWaitMs = 10_000, maxAddresses = 16_384 } = options;
  const everyMs = 1000 / perSecond;
  /** Time at which the token bucket of an address is full again; in order of the last request. */
  const wholeAtMs = new Map<string, number>();

  /** Takes a turn and returns how long it is away. */
  function takeTurn(address: string, timeoutMs: number): number {
    const now = clock.monotonic();
    const whole = Math.max(now, wholeAtMs.get(address) ?? now) + everyMs;
    const waitMs = Math.max(0, whole - now - burst * everyMs);
    if (waitMs > Math.min(maxWaitMs, timeoutMs)) {
      throw new OsError({
        kind: "resource-exhausted",
        code: "discovery/too-often",
        message: "rate limit exceeds request timeout",
      });
    }
    wholeAtMs.delete(address);
    wholeAtMs.set(address, whole);
    const [oldest] = wholeAtMs.keys();
    if (wholeAtMs.size > maxAddresses && oldest !== undefined) wholeAtMs.delete(oldest);
    return waitMs;
  }

  return async (context, next) => {
    const address = options.addressOf(context);
    if (address !== undefined) {
      const { deadlineMs = Number.POSITIVE_INFINITY } = context;
      const waitMs = takeTurn(address, deadlineMs - clock.now());
      if (waitMs > 0) await clock.sleep(waitMs, context.signal);
    }
    await next();
  };
}
