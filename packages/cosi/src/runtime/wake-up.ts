import type { ReconcileEvent } from "../controller.ts";
import type { Pointer } from "../resource.ts";

/**
 * The one waiting reconcile of a controller. Any number of wake-ups before it is taken make one event, whose cause is
 * the last input that changed.
 */
export interface WakeUp {
  /** The controller is to reconcile; without a cause it asked for that itself. */
  wake(cause?: Pointer): void;
  /** Takes the waiting event, if there is one. */
  take(): ReconcileEvent | undefined;
  readonly pending: boolean;
  /** True when the waiting event was only asked for by the controller itself. */
  readonly ownRequest: boolean;
  /** Resolves when there is an event to take, or when `interrupt` is called. */
  wait(): Promise<void>;
  interrupt(): void;
}

export function createWakeUp(): WakeUp {
  let pending = false;
  let cause: Pointer | undefined;
  let notify: (() => void) | undefined;

  function interrupt(): void {
    const resolve = notify;
    notify = undefined;
    resolve?.();
  }

  return {
    wake(by) {
      pending = true;
      if (by !== undefined) cause = by;
      interrupt();
    },
    take() {
      if (!pending) return undefined;
      const event = cause === undefined ? {} : { cause };
      pending = false;
      cause = undefined;
      return event;
    },
    get pending() {
      return pending;
    },
    get ownRequest() {
      return pending && cause === undefined;
    },
    wait() {
      if (pending) return Promise.resolve();
      return new Promise((resolve) => {
        notify = resolve;
      });
    },
    interrupt,
  };
}
