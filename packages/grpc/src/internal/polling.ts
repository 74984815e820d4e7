/** Keeps the event loop asking for input instead of sleeping, for short times. */
export interface Polling {
  /** Polls for the whole duration from now on. */
  extend(): void;
}

export interface PollingOptions {
  readonly durationMs: number;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: () => number;
  /** Runs a function in the next turn of the event loop, which does not sleep before it. @default setImmediate */
  readonly nextTurn?: (turn: () => void) => void;
}

/**
 * Creates a poller that is at rest.
 *
 * A process that sleeps for less than some hundred microseconds pays more for falling asleep and being woken up (interrupts of
 * another core, and of the hypervisor where there is one) than for looking again and again.
 */
export function createPolling({ durationMs, now = monotonic, nextTurn = setImmediate }: PollingOptions): Polling {
  let untilMs = 0;
  let isActive = false;
  const turn = (): void => {
    isActive = now() < untilMs;
    if (isActive) nextTurn(turn);
  };
  return {
    extend() {
      untilMs = now() + durationMs;
      if (isActive) return;
      isActive = true;
      nextTurn(turn);
    },
  };
}

function monotonic(): number {
  return performance.now();
}
