import { OsError } from "@talos-ts/base";
import { Deframer } from "./frame.ts";

/** The source of bytes, told to hold when nobody reads. */
export interface Flow {
  pause(): void;
  resume(): void;
}

export interface MessageQueueOptions<T> {
  readonly flow: Flow;
  readonly maxBytes: number;
  readonly decode: (payload: Uint8Array) => T;
  /** Told the length of each message before it is received; what it throws ends the call. */
  readonly onMessage?: (bytes: number) => void;
  /** The consumer stopped before the end. */
  readonly onReturn?: () => void;
}

/** Above either bound the source is paused until the queue is empty. */
const highWaterBytes = 256 * 1024;
const highWaterMessages = 64;

/**
 * Bytes in, messages out, for one consumer.
 *
 * Decoding happens when the consumer takes a message, so a message that is never read costs nothing and a bad one
 * surfaces where it is read.
 */
export class MessageQueue<T> implements AsyncIterableIterator<T, undefined> {
  readonly #options: MessageQueueOptions<T>;
  readonly #deframer: Deframer;
  #queue: Uint8Array[] = [];
  #head = 0;
  #queuedBytes = 0;
  #paused = false;
  #state: "open" | "ended" | "failed" = "open";
  #error: unknown;
  #waiting: PromiseWithResolvers<IteratorResult<T, undefined>> | undefined;

  constructor(options: MessageQueueOptions<T>) {
    this.#options = options;
    this.#deframer = new Deframer(options.maxBytes, options.onMessage);
  }

  /** @throws {OsError} when the bytes are no acceptable frame; the caller ends the call. */
  push(chunk: Buffer): void {
    if (this.#state !== "open") return;
    this.#deframer.push(chunk, this.#accept);
    this.#settle();
    if (!this.#paused && (this.#queuedBytes > highWaterBytes || this.#queue.length - this.#head > highWaterMessages)) {
      this.#paused = true;
      this.#options.flow.pause();
    }
  }

  readonly #accept = (payload: Uint8Array): void => {
    this.#queue.push(payload);
    this.#queuedBytes += payload.length;
  };

  /** Ends after what is queued: with `error`, or cleanly. */
  end(error?: unknown): void {
    if (this.#state !== "open") return;
    if (error === undefined && this.#deframer.partial) {
      this.end(
        new OsError({
          kind: "internal",
          code: "grpc/truncated",
          message: "The peer ended the stream inside a message",
        }),
      );
      return;
    }
    this.#state = "ended";
    this.#error = error;
    this.#settle();
  }

  /** Ends at once and drops what is queued. */
  fail(error: unknown): void {
    if (this.#state === "failed") return;
    this.#state = "failed";
    this.#error = error;
    this.#queue = [];
    this.#head = 0;
    this.#settle();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#waiting !== undefined) {
      return Promise.reject(
        new OsError({ kind: "internal", message: "Cannot read the messages of a call from two consumers at once" }),
      );
    }
    this.#waiting = Promise.withResolvers<IteratorResult<T, undefined>>();
    const { promise } = this.#waiting;
    this.#settle();
    return promise;
  }

  return(): Promise<IteratorResult<T, undefined>> {
    if (this.#state !== "failed") {
      const open = this.#state === "open";
      this.#state = "ended";
      this.#error = undefined;
      this.#queue = [];
      this.#head = 0;
      this.#settle();
      if (open) this.#options.onReturn?.();
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #settle(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (this.#head < this.#queue.length) {
      this.#waiting = undefined;
      try {
        waiting.resolve({ done: false, value: this.#options.decode(this.#take()) });
      } catch (err) {
        waiting.reject(err);
      }
      return;
    }
    if (this.#state === "open") return;
    this.#waiting = undefined;
    if (this.#error === undefined) waiting.resolve({ done: true, value: undefined });
    else {
      waiting.reject(this.#error);
      this.#error = undefined;
    }
  }

  #take(): Uint8Array {
    const payload = this.#queue[this.#head] as Uint8Array;
    this.#head += 1;
    this.#queuedBytes -= payload.length;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
      if (this.#paused) {
        this.#paused = false;
        this.#options.flow.resume();
      }
    }
    return payload;
  }
}
