import { errorCodes } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import type { Http2Limits } from "../limits.ts";
import { TokenBucket } from "./token-bucket.ts";

type FloodLimits = Pick<
  Http2Limits,
  "streamResetBurst" | "streamResetsPerSecond" | "controlFrameBurst" | "controlFramesPerSecond"
>;

/** Control frames that a call, or a whole frame of data to the peer, pays for: pings and window updates go with them. */
const earnedPerUse = 4;

/** Bounds the frames that cost this side work and the peer next to nothing. */
export class FloodGuard {
  readonly #now: () => number;
  readonly #resets: TokenBucket;
  readonly #control: TokenBucket;

  constructor(limits: FloodLimits, now: () => number) {
    this.#now = now;
    const nowMs = now();
    this.#resets = new TokenBucket(limits.streamResetBurst, limits.streamResetsPerSecond, nowMs);
    this.#control = new TokenBucket(limits.controlFrameBurst, limits.controlFramesPerSecond, nowMs);
  }

  /** Counts frames that ask for nothing. @throws {Http2Error} ENHANCE_YOUR_CALM. */
  control(count: number): void {
    if (!this.#control.take(count, this.#now)) throw flood("control frames");
  }

  /** Counts a stream that ended by a reset. @throws {Http2Error} ENHANCE_YOUR_CALM. */
  reset(): void {
    if (!this.#resets.take(1, this.#now)) throw flood("stream resets");
  }

  earn(): void {
    this.#control.earn(earnedPerUse);
  }
}

function flood(what: string): Http2Error {
  return new Http2Error(errorCodes.enhanceYourCalm, `Too many ${what}`);
}
