import { OsError, type Clock } from "@talos-ts/base";
import type { ControllerContext } from "@talos-ts/cosi";
import type { NetworkGroup, Linux } from "@talos-ts/linux";

/** At most one look per so many milliseconds: starting a pod changes dozens of things at once. */
const restMs = 100;

/** Wakes a controller when the kernel's network changes. Disposing stops it. */
export interface KernelFollower extends Disposable {
  /**
   * To be called at the start of each reconcile: later changes wake the controller again.
   * @throws when changes can no longer be followed
   */
  looking(): void;
  /** Wakes the controller after this time, unless a change does so earlier. */
  lookAgain(afterMs: number): void;
}

/** The subscription stands once this resolves, so that a look afterwards misses nothing. */
export async function followKernel(
  machine: { readonly linux: Linux; readonly clock: Clock },
  context: Pick<ControllerContext, "signal" | "queueReconcile">,
  groups: readonly NetworkGroup[],
): Promise<KernelFollower> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const monitor = await machine.linux.networks.here.monitor({ groups, signal });
  let lastMs = Number.NEGATIVE_INFINITY;
  let waiting = false;
  let failure: unknown;

  function wake(): void {
    if (waiting) return;
    waiting = true;
    const dueMs = lastMs + restMs - machine.clock.monotonic();
    context.queueReconcile(dueMs > 0 ? dueMs : undefined);
  }

  async function follow(): Promise<void> {
    try {
      for await (const _change of monitor) wake();
      failure = new OsError({
        kind: "unavailable",
        code: "network/monitor-ended",
        message: "The netlink subscription to network changes ended",
      });
    } catch (err) {
      failure = err;
    }
    if (!signal.aborted) context.queueReconcile();
  }
  void follow();

  return {
    looking() {
      if (failure !== undefined && !signal.aborted) throw failure;
      waiting = false;
      lastMs = machine.clock.monotonic();
    },
    lookAgain(afterMs) {
      // A delay replaces an earlier one, and that of a change is always shorter.
      if (!waiting) context.queueReconcile(afterMs);
    },
    [Symbol.dispose]() {
      stop.abort();
      monitor[Symbol.dispose]();
    },
  };
}
