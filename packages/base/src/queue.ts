import { OsError } from "./error.ts";

/**
 * A bounded queue between one producer and one consumer.
 *
 * The producer never waits: `push` says whether there was room, and the owner decides what a full queue means (drop,
 * close with a typed error, pause the source). The consumer iterates; `close` ends it after what is queued,
 * `fail` ends it at once.
 */
export interface Queue<T> extends AsyncIterable<T>, Disposable {
  /** Queues a value; `false` when the queue is full or closed and the value was not taken. */
  push(value: T): boolean;
  /** No more values; the consumer still gets what is queued. */
  close(): void;
  /** Ends the consumer with an error, dropping what is queued. */
  fail(error: unknown): void;
  readonly size: number;
  readonly closed: boolean;
}

/**
 * Creates a queue.
 *
 * @param capacity Number of values that may wait for the consumer. @default {Infinity}
 */
export function createQueue<T>(capacity = Number.POSITIVE_INFINITY): Queue<T> {
  let queue: T[] = [];
  let head = 0;
  let state: "open" | "closed" | "failed" = "open";
  let failure: unknown;
  let waiting: PromiseWithResolvers<IteratorResult<T, undefined>> | undefined;

  const size = (): number => queue.length - head;

  function take(): T {
    const value = queue[head] as T;
    head += 1;
    // Dropping the consumed prefix only now and then keeps both ends O(1) amortised.
    if (head > 64 && head * 2 > queue.length) {
      queue = queue.slice(head);
      head = 0;
    }
    return value;
  }

  function deliver(): void {
    if (waiting === undefined) return;
    const { resolve, reject } = waiting;
    if (size() > 0) resolve({ done: false, value: take() });
    else if (state === "failed") reject(failure);
    else if (state === "closed") resolve({ done: true, value: undefined });
    else return;
    waiting = undefined;
  }

  const iterator: AsyncIterator<T, undefined> = {
    next() {
      if (waiting !== undefined) {
        return Promise.reject(
          new OsError({ kind: "internal", message: "Cannot read a queue from two consumers at once" }),
        );
      }
      waiting = Promise.withResolvers<IteratorResult<T, undefined>>();
      const { promise } = waiting;
      deliver();
      return promise;
    },
    return() {
      state = "closed";
      queue = [];
      head = 0;
      deliver();
      return Promise.resolve({ done: true, value: undefined });
    },
  };

  return {
    push(value) {
      if (state !== "open" || size() >= capacity) return false;
      queue.push(value);
      deliver();
      return true;
    },
    close() {
      if (state === "open") state = "closed";
      deliver();
    },
    fail(error) {
      if (state !== "open") return;
      state = "failed";
      failure = error;
      queue = [];
      head = 0;
      deliver();
    },
    get size() {
      return size();
    },
    get closed() {
      return state !== "open";
    },
    [Symbol.asyncIterator]: () => iterator,
    [Symbol.dispose]() {
      this.close();
    },
  };
}
