/**
 * Control flow of a reconcile, as values to throw:
 *
 * | thrown           | controller                                        | queue controller                              |
 * |------------------|---------------------------------------------------|-----------------------------------------------|
 * | `SkipReconcile`  | this reconcile ends, the next change wakes it     | the item is done until it changes             |
 * | `RequeueAfter`   | it is woken again after that time                 | the item comes back after that time           |
 * | `TerminalError`  | it fails for good, no restart                     | the item is given up until it changes         |
 * | anything else    | it is restarted after a backoff                   | the item comes back after its own backoff     |
 */

/** Nothing can be done now, and that is no failure: a later change of an input brings the reconcile back. */
export class SkipReconcile extends Error {
  override readonly name = "SkipReconcile";
}

export interface RequeueAfterInit {
  /** Cause; without it the requeue is not a failure. */
  readonly cause?: unknown;
}

/** Asks to be called again after a time. */
export class RequeueAfter extends Error {
  override readonly name = "RequeueAfter";
  readonly delayMs: number;
  /** True when the requeue is because of a failure, which is `cause`. */
  readonly failed: boolean;

  constructor(delayMs: number, init: RequeueAfterInit = {}) {
    const failed = init.cause !== undefined;
    super(`Requeue in ${delayMs} ms`, failed ? { cause: init.cause } : undefined);
    this.delayMs = delayMs;
    this.failed = failed;
  }
}

/** Trying again is of no use until a person acts; `cause` says why. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";

  constructor(cause: unknown) {
    super("Gave up, as another attempt cannot succeed", { cause });
  }
}
