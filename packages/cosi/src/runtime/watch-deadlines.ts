import type { Clock } from "@talos-ts/base";
import type { Logger } from "../controller.ts";
import type { StatusBoard } from "./status-board.ts";

export interface WatchDeadlinesOptions {
  readonly board: StatusBoard;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Reports each reconcile that takes too long, once. One timer serves all controllers. */
export interface DeadlineWatch {
  /** There is a controller with this deadline. */
  include(deadlineMs: number | undefined): void;
}

export function createDeadlineWatch({ board, clock, logger, signal }: WatchDeadlinesOptions): DeadlineWatch {
  const reported = new Map<string, number>();
  let shortest = Number.POSITIVE_INFINITY;
  let watching = false;

  function look(): void {
    for (const { name, overdue, since, wakeCause } of board.all()) {
      if (!overdue || reported.get(name) === since) continue;
      reported.set(name, since);
      const start = new Date(since).toISOString();
      logger.warn("reconcile takes too long", { controller: name, since: start, cause: wakeCause });
      board.changed(name);
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(Math.max(100, shortest / 2), signal).catch(() => undefined);
      if (!signal.aborted) look();
    }
  }

  return {
    include(deadlineMs) {
      if (deadlineMs === undefined) return;
      shortest = Math.min(shortest, deadlineMs);
      if (watching) return;
      watching = true;
      void watch();
    },
  };
}
