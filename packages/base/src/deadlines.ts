import type { Clock } from "./clock.ts";

/** Something that should be done in time. */
export interface Deadline {
  /** It is: nothing happens any more. Further calls have no effect. */
  done(): void;
}

/** Deadlines of many short tasks. Disposing forgets all of them. */
export interface Deadlines extends Disposable {
  /** Calls `expired` unless the task is done within `timeoutMs`, at most a period later. */
  start(timeoutMs: number, expired: () => void): Deadline;
}

interface Task {
  readonly dueMs: number;
  /** Taken away when the task is over: a set keeps what was deleted reachable for a while, and with it the whole call. */
  expired: (() => void) | undefined;
}

/**
 * One timer for all: nearly every task is done in time, so that starting and ending one must cost next to nothing. A timer with an
 * abort signal for each call took as long as forwarding it.
 *
 * @param periodMs Time between two looks at the tasks under way.
 */
export function createDeadlines(clock: Clock, periodMs = 1000): Deadlines {
  const pending = new Set<Task>();
  const stop = new AbortController();
  let watching = false;

  function forget(task: Task): void {
    task.expired = undefined;
    pending.delete(task);
  }

  async function watch(): Promise<void> {
    watching = true;
    while (pending.size > 0 && !stop.signal.aborted) {
      await clock.sleep(periodMs, stop.signal).catch(() => undefined);
      const nowMs = clock.monotonic();
      for (const task of pending) {
        if (task.dueMs > nowMs) continue;
        const { expired } = task;
        forget(task);
        expired?.();
      }
    }
    watching = false;
  }

  return {
    start(timeoutMs, expired) {
      const task: Task = { dueMs: clock.monotonic() + timeoutMs, expired };
      pending.add(task);
      if (!watching) void watch();
      return { done: () => forget(task) };
    },
    [Symbol.dispose]() {
      pending.clear();
      stop.abort();
    },
  };
}
