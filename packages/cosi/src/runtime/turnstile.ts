/**
 * Keeps controllers from starving the event loop.
 *
 * Everything here runs in microtasks, and a controller that never waits for anything real would keep timers, sockets
 * and the others from running. Whoever passes here is made to wait for one turn of the event loop when the present
 * turn has lasted too long.
 */
export interface Turnstile {
  /** A promise to wait for, or `undefined` when there is time left in this turn. */
  pass(): Promise<void> | undefined;
  /** Always waits for the next turn. */
  nextTurn(): Promise<void>;
}

export interface TurnstileOptions {
  /** Longest time that a turn may last. @default {5} */
  readonly turnMs?: number;
}

/** The time is looked at once in so many passes. */
const passesPerLook = 32;

export function createTurnstile({ turnMs = 5 }: TurnstileOptions = {}): Turnstile {
  let passes = 0;
  let turnStarted = performance.now();
  let next: Promise<void> | undefined;

  function nextTurn(): Promise<void> {
    next ??= new Promise((resolve) => {
      setImmediate(() => {
        next = undefined;
        turnStarted = performance.now();
        resolve();
      });
    });
    return next;
  }

  return {
    pass() {
      passes += 1;
      if (passes % passesPerLook !== 0) return undefined;
      return performance.now() - turnStarted > turnMs ? nextTurn() : undefined;
    },
    nextTurn,
  };
}
