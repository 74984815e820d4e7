import { describeError, timeLimit, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { mutexNames, type WithMutex } from "./mutex.ts";

/** Longest time that the other members wait for this one, in ms. */
const holdMs = 60_000;

/** Lets the members of a cluster restart one after the other: with two away at once, a cluster of three has no quorum. */
export interface RestartTurn {
  /** Resolves when this member may restart. Without an answer of etcd there is nothing to keep up, so it may at once. */
  take(signal: AbortSignal): Promise<void>;
  /** Says that the member is about to start again. */
  starting(): void;
  /** Says that the member answers; once it was started again, the turn is over. */
  healthy(): void;
}

export function createRestartTurn(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  withMutex: WithMutex,
): RestartTurn {
  let over: (() => void) | undefined;
  let started = false;
  return {
    take(signal) {
      const granted = Promise.withResolvers<void>();
      const back = Promise.withResolvers<void>();
      const hold = async (): Promise<void> => {
        started = false;
        over = back.resolve;
        granted.resolve();
        using limit = timeLimit(holdMs, { clock, signal });
        await limit.race(back.promise).catch(() => undefined);
      };
      withMutex(mutexNames.etcdRestart, signal, hold).catch((err: unknown) => {
        logger.warn(`etcd restarts without waiting for other members: ${describeError(err)}`);
        granted.resolve();
      });
      return granted.promise;
    },
    starting() {
      started = true;
    },
    healthy() {
      if (started) over?.();
    },
  };
}
