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

/** A task in the ring of those under way; one that is over is its own neighbour and holds nothing. */
class Task implements Deadline {
  readonly dueMs: number;
  expired: (() => void) | undefined;
  next: Task = this;
  #previous: Task = this;

  constructor(dueMs: number, expired: (() => void) | undefined) {
    this.dueMs = dueMs;
    this.expired = expired;
  }

  insertBefore(other: Task): void {
    this.next = other;
    this.#previous = other.#previous;
    other.#previous.next = this;
    other.#previous = this;
  }

  done(): void {
    this.expired = undefined;
    this.#previous.next = this.next;
    this.next.#previous = this.#previous;
    this.next = this;
    this.#previous = this;
  }
}

/**
 * One timer for all: nearly every task is done in time, so that starting and ending one must cost next to nothing. A timer with an
 * abort signal for each call took as long as forwarding it. Tasks are linked to each other, as a set is copied every now and then
 * and keeps what was deleted reachable for a while.
 *
 * @param periodMs Time between two looks at the tasks under way.
 */
export function createDeadlines(clock: Clock, periodMs = 1000): Deadlines {
  /** The place between the newest task and the oldest. */
  const end = new Task(Number.POSITIVE_INFINITY, undefined);
  const stop = new AbortController();
  let watching = false;

  function expireDue(nowMs: number): void {
    const due: Task[] = [];
    for (let task = end.next; task !== end; task = task.next) if (task.dueMs <= nowMs) due.push(task);
    for (const task of due) {
      // One that is called may end others.
      const { expired } = task;
      task.done();
      expired?.();
    }
  }

  async function watch(): Promise<void> {
    watching = true;
    while (end.next !== end && !stop.signal.aborted) {
      await clock.sleep(periodMs, stop.signal).catch(() => undefined);
      expireDue(clock.monotonic());
    }
    watching = false;
  }

  return {
    start(timeoutMs, expired) {
      const task = new Task(clock.monotonic() + timeoutMs, expired);
      task.insertBefore(end);
      if (!watching) void watch();
      return task;
    },
    [Symbol.dispose]() {
      while (end.next !== end) end.next.done();
      stop.abort();
    },
  };
}
