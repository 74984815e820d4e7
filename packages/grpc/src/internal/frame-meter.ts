import type { RequestObserver } from "../context.ts";
import { messageLength } from "./frame.ts";

const prefixBytes = 5;

/** Reads the length prefixes of messages that pass by, and nothing else of them. */
export class FrameMeter {
  readonly #maxBytes: number;
  readonly #observer: RequestObserver | undefined;
  /** Made when a prefix comes in parts. */
  #prefix: Buffer | undefined;
  #prefixLength = 0;
  /** Bytes until the next prefix. */
  #left = 0;

  constructor(maxBytes: number, observer?: RequestObserver) {
    this.#maxBytes = maxBytes;
    this.#observer = observer;
  }

  /** @throws {OsError} `grpc/message-too-large`, `grpc/compressed`, or what the observer throws. */
  push(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - offset);
        this.#left -= skipped;
        offset += skipped;
        continue;
      }
      if (this.#prefixLength === 0 && chunk.length - offset >= prefixBytes) {
        this.#begin(messageLength(chunk, this.#maxBytes, offset));
        offset += prefixBytes;
        continue;
      }
      this.#prefix ??= Buffer.allocUnsafe(prefixBytes);
      const copied = chunk.copy(this.#prefix, this.#prefixLength, offset, offset + prefixBytes - this.#prefixLength);
      this.#prefixLength += copied;
      offset += copied;
      if (this.#prefixLength < prefixBytes) return;
      this.#prefixLength = 0;
      this.#begin(messageLength(this.#prefix, this.#maxBytes));
    }
  }

  #begin(length: number): void {
    this.#left = length;
    this.#observer?.message(length);
  }
}
