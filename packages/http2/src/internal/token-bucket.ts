/** A budget of `burst` that refills by `perSecond`. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #atMs: number;

  constructor(burst: number, perSecond: number, nowMs: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Takes `count`; false when the budget is spent. The clock is asked only then. */
  take(count: number, now: () => number): boolean {
    this.#tokens -= count;
    if (this.#tokens >= 0) return true;
    const nowMs = now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#perSecond);
    this.#atMs = nowMs;
    return this.#tokens >= 0;
  }

  /** Gives `count` back, up to the burst. */
  earn(count: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + count);
  }
}
