import { describeError, OsError, timeLimit, type Clock } from "@talos-ts/base";

export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Subject of the wait, for the error. */
  readonly what: string;
  readonly timeoutMs: number;
  /** Told once for each reason. */
  readonly tell: (reason: string) => void;
  /** Command that looks closer. */
  readonly next: string;
}

const pauseMs = 1000;

/**
 * Asks until there is nothing left to wait for. A question that fails is asked again: an API server that is being replaced does not
 * answer.
 *
 * @param reason What is missing; `undefined` when nothing is.
 * @throws {OsError} `upgrade/not-in-time` with the last reason
 */
export async function waitUntil(
  reason: (signal: AbortSignal) => Promise<string | undefined>,
  options: WaitOptions,
): Promise<void> {
  const { clock, signal, what, timeoutMs } = options;
  using limit = timeLimit(timeoutMs, { clock, signal });
  let told: string | undefined;
  for (;;) {
    let missing: string | undefined;
    try {
      missing = await reason(limit.signal);
    } catch (err) {
      signal.throwIfAborted();
      missing = describeError(err);
    }
    if (missing === undefined) return;
    if (missing !== told && !limit.signal.aborted) options.tell(missing);
    told = missing;
    try {
      await clock.sleep(pauseMs, limit.signal);
    } catch {
      signal.throwIfAborted();
      throw new OsError({
        kind: "deadline-exceeded",
        code: "upgrade/not-in-time",
        message: `waited ${String(timeoutMs / 1000)} s in vain for ${what}: ${missing}`,
        next: options.next,
      });
    }
  }
}
