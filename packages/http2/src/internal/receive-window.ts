import { defaultWindowBytes, errorCodes } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import type { OutBuffer } from "../frame/out-buffer.ts";
import type { Http2Limits } from "../limits.ts";

/**
 * The connection's window for what the peer sends. It is refilled as data arrives, not as it is read, so that a stream that is read
 * slowly does not hold up the others, until unread data exceeds `maxBufferedBytes`.
 */
export class ReceiveWindow {
  readonly #out: OutBuffer;
  readonly #limits: Pick<Http2Limits, "connectionWindowBytes" | "maxBufferedBytes">;
  #left: number;
  #consumedBytes = 0;
  #bufferedBytes = 0;

  constructor(out: OutBuffer, limits: Pick<Http2Limits, "connectionWindowBytes" | "maxBufferedBytes">) {
    this.#out = out;
    this.#limits = limits;
    this.#left = Math.max(limits.connectionWindowBytes, defaultWindowBytes);
  }

  /** Announces the part of the window that goes beyond the default. */
  greet(): void {
    if (this.#left > defaultWindowBytes) this.#out.windowUpdate(0, this.#left - defaultWindowBytes);
  }

  /** Bytes the peer may send, counting those received whose window update is not sent yet. */
  get bytes(): number {
    return this.#left + this.#consumedBytes;
  }

  /** Bytes held in streams that nobody reads. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** @throws {Http2Error} FLOW_CONTROL_ERROR. */
  take(bytes: number): void {
    if (bytes > this.#left) {
      throw new Http2Error(errorCodes.flowControlError, "The peer exceeded the window of the connection");
    }
    this.#left -= bytes;
    this.#consumedBytes += bytes;
  }

  buffered(bytes: number): void {
    this.#bufferedBytes += bytes;
  }

  /** Sends a window update when half of the window is used. */
  refill(): void {
    const { connectionWindowBytes, maxBufferedBytes } = this.#limits;
    if (this.#consumedBytes * 2 < connectionWindowBytes || this.#bufferedBytes > maxBufferedBytes) return;
    this.#out.windowUpdate(0, this.#consumedBytes);
    this.#left += this.#consumedBytes;
    this.#consumedBytes = 0;
  }
}
