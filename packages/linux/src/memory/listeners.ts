import { createQueue, type Queue } from "@talos-ts/base";

export interface ListenOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Filter of the values that this listener wants. @default all */
  readonly accept?: (value: T) => boolean;
  /** Values it gets before the first new one. */
  readonly past?: readonly T[];
}

/** Those who are told about something, each at its own pace. */
export interface Listeners<T> {
  emit(value: T): void;
  /** Listens until disposed, aborted, or left by the loop. */
  listen(options?: ListenOptions<T>): AsyncIterable<T> & Disposable;
}

export function createListeners<T>(): Listeners<T> {
  const open = new Map<Queue<T>, (value: T) => boolean>();
  return {
    emit(value) {
      for (const [queue, accept] of open) if (accept(value)) queue.push(value);
    },
    listen({ signal, accept = () => true, past = [] } = {}) {
      const queue = createQueue<T>();
      for (const value of past) queue.push(value);
      open.set(queue, accept);
      const stop = (): void => {
        open.delete(queue);
        signal?.removeEventListener("abort", stop);
        queue.close();
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      const iterator = queue[Symbol.asyncIterator]();
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => iterator.next(),
          return: async () => {
            stop();
            return { done: true, value: undefined };
          },
        }),
        [Symbol.dispose]: stop,
      };
    },
  };
}
