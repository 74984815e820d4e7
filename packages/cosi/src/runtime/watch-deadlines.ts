import type { Clock } from "@talos-ts/base";
import type { Logger } from "../controller.ts";
import type { StatusBoard } from "./status-board.ts";

export interface WatchDeadlinesOptions {
  readonly board: StatusBoard;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Reports each reconcile that takes too long, once. One timer serves all controllers. */
export function watchDeadlines({ board, clock, logger, deadlineMs, signal }: WatchDeadlinesOptions): void {
  const reported = new Map<string, number>();

  function look(): void {
    for (const { name, overdue, since, wakeCause } of board.all()) {
      if (!overdue || reported.get(name) === since) continue;
      reported.set(name, since);
      logger.warn("reconcile takes too long", {
        controller: name,
        since: new Date(since).toISOString(),
        cause: wakeCause,
      });
      board.changed(name);
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(Math.max(100, deadlineMs / 2), signal).catch(() => undefined);
      if (!signal.aborted) look();
    }
  }
  void watch();
}
