import { createChannel, type Channel } from "@talos-ts/base";

export interface ListenOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Which values this listener wants. @default all */
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
  const open = new Map<Channel<T>, (value: T) => boolean>();
  return {
    emit(value) {
      for (const [channel, accept] of open) if (accept(value)) channel.push(value);
    },
    listen({ signal, accept = () => true, past = [] } = {}) {
      const channel = createChannel<T>();
      for (const value of past) channel.push(value);
      open.set(channel, accept);
      const stop = (): void => {
        open.delete(channel);
        signal?.removeEventListener("abort", stop);
        channel.close();
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      const iterator = channel[Symbol.asyncIterator]();
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
