import { describeError, OsError, systemClock, within, type Clock } from "@talos-ts/base";
import type { Runner } from "../runner.ts";

export interface InProcessOptions {
  readonly id: string;
  /** The service itself: returns or rejects when it is over, ends soon after the signal aborts. */
  readonly main: (signal: AbortSignal) => Promise<void>;
  /** @default {20_000} */
  readonly stopTimeoutMs?: number;
  readonly clock?: Clock;
}

/** Runs a service as a function of this process. It must stop when its signal aborts: a function cannot be killed. */
export function inProcessRunner(options: InProcessOptions): Runner {
  const { id, main, stopTimeoutMs = 20_000, clock = systemClock } = options;
  return {
    describe: () => `Goroutine(${id})`,
    async run(report, signal) {
      const over = main(signal).then(
        () => undefined,
        (err: unknown) => (signal.aborted ? undefined : OsError.from(err)),
      );
      report("running", "Service started as goroutine");
      const stopping = Promise.withResolvers<undefined>();
      const stop = (): void => stopping.resolve(undefined);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      const first = await Promise.race([over.then((error) => ({ error })), stopping.promise]);
      signal.removeEventListener("abort", stop);
      if (first !== undefined) {
        if (first.error === undefined) return;
        throw new OsError({
          kind: "internal",
          code: "service/failed",
          message: describeError(first.error),
          cause: first.error,
        });
      }
      report("stopping", "Service stopping");
      const outcome = await within(over, stopTimeoutMs, clock);
      if (outcome.late) {
        throw new OsError({
          kind: "deadline-exceeded",
          code: "service/stop-timeout",
          message: "Service hasn't stopped gracefully on timeout, aborting",
        });
      }
    },
  };
}
