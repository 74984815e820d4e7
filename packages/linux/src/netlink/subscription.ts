import { createQueue } from "@talos-ts/base";
import { hasErrno } from "../ffi/errno.ts";
import type { NetlinkSocket } from "./socket.ts";

export interface SubscriptionOptions<T> {
  /** Turns one datagram into events; it may throw, which ends the iteration with that error. */
  readonly decode: (datagram: Buffer) => readonly T[];
  /** Value that tells the consumer that the kernel or the queue dropped events. */
  readonly overrun: T;
  readonly signal?: AbortSignal | undefined;
  /** Events kept for a slow consumer before they count as lost. @default {4096} */
  readonly capacity?: number;
}

/** The datagrams of a socket as events; owns the socket. Disposing, aborting or leaving the loop ends it. */
export function subscribe<T>(socket: NetlinkSocket, options: SubscriptionOptions<T>): AsyncIterable<T> & Disposable {
  const queue = createQueue<T>();
  const capacity = options.capacity ?? 4096;
  using cleanup = new DisposableStack();
  cleanup.use(socket);
  let lost = false;
  const deliver = (event: T): void => {
    if (queue.size < capacity) {
      lost = false;
      queue.push(event);
    } else if (!lost) {
      lost = true;
      queue.push(options.overrun);
    }
  };
  const drain = (): void => {
    try {
      for (let datagram = next(); datagram !== undefined; datagram = next()) {
        if (datagram === "overrun") deliver(options.overrun);
        else options.decode(datagram).forEach(deliver);
      }
    } catch (err) {
      queue.fail(err);
      owned.dispose();
    }
  };
  const next = (): Buffer | "overrun" | undefined => {
    try {
      return socket.receive();
    } catch (err) {
      if (hasErrno(err, "ENOBUFS")) return "overrun";
      throw err;
    }
  };
  cleanup.use(socket.onReadable(drain));
  const stop = (): void => {
    queue.close();
    owned.dispose();
  };
  options.signal?.addEventListener("abort", stop, { once: true });
  cleanup.defer(() => options.signal?.removeEventListener("abort", stop));
  const owned = cleanup.move();
  if (options.signal?.aborted === true) stop();

  const iterator = queue[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => iterator.next(),
      return: async () => {
        stop();
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
    [Symbol.dispose]: stop,
  };
}
