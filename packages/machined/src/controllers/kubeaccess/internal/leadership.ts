import { describeError, runForever, type Clock } from "@talos-ts/base";
import type { ControllerContext } from "@talos-ts/cosi";
import type { MutexName, WithMutex } from "../../../etcd/mutex.ts";

/** The right of one machine of the cluster to do something, as one more input: the controller is woken when it changes. */
export interface Leadership extends AsyncDisposable {
  /** Asks for the right, or gives it back. */
  set(wanted: boolean): void;
  /** Aborts when the right is lost; `undefined` while another machine has it. */
  readonly held: AbortSignal | undefined;
}

/** @param name Lock in etcd that the leader holds. */
export function createLeadership(
  context: Pick<ControllerContext, "logger" | "queueReconcile" | "signal">,
  { clock, withMutex }: { readonly clock: Clock; readonly withMutex: WithMutex },
  name: MutexName,
): Leadership {
  let held: AbortSignal | undefined;
  let end: AbortController | undefined;
  let running = Promise.resolve();

  async function lead(lock: AbortSignal): Promise<void> {
    held = lock;
    context.queueReconcile();
    try {
      await aborted(lock);
    } finally {
      held = undefined;
      context.queueReconcile();
    }
  }

  return {
    set(wanted) {
      if (wanted === (end !== undefined)) return;
      end?.abort();
      end = wanted ? new AbortController() : undefined;
      if (end === undefined) return;
      const signal = AbortSignal.any([end.signal, context.signal]);
      const before = running;
      running = before.then(() =>
        runForever(() => withMutex(name, signal, lead), {
          signal,
          clock,
          backoff: { initialMs: 1000, maxMs: 15_000 },
          onEnd: (error) => {
            if (error !== undefined) context.logger.debug("cannot get lock", { name, error: describeError(error) });
          },
        }),
      );
    },
    get held() {
      return held?.aborted === false ? held : undefined;
    },
    async [Symbol.asyncDispose]() {
      end?.abort();
      await running;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
