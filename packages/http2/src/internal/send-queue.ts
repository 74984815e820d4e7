import { defaultWindowBytes, errorCodes, maxUint31 } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import type { OutBuffer } from "../frame/out-buffer.ts";
import type { StreamState } from "./stream-state.ts";

/** Output that may wait for the next turn of the event loop before streams have to wait themselves, in bytes. */
const maxOutputBytes = 256 * 1024;

/** Streams with data to send, which take turns frame by frame, and the connection's window. */
export class SendQueue {
  /** Bytes that the peer takes on all streams. */
  window = defaultWindowBytes;
  /** The transport takes no more for now. */
  blocked = false;
  readonly #out: OutBuffer;
  readonly #maxQueuedBytes: number;
  #streams: StreamState[] = [];
  #queuedBytes = 0;
  #pumping = false;

  constructor(out: OutBuffer, maxQueuedBytes: number) {
    this.#out = out;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Bytes that may be sent now. */
  get room(): number {
    return this.blocked || this.#out.length >= maxOutputBytes ? 0 : this.window;
  }

  /** Widens the window. @throws {Http2Error} FLOW_CONTROL_ERROR when it overflows. */
  grow(bytes: number): void {
    this.window += bytes;
    if (this.window <= maxUint31) return;
    throw new Http2Error(errorCodes.flowControlError, "The window of the connection overflows");
  }

  /** @returns false when more waits than allowed */
  count(bytes: number): boolean {
    this.#queuedBytes += bytes;
    return this.#queuedBytes <= this.#maxQueuedBytes;
  }

  /** Puts a stream in the line; one without window comes back when it gets some. */
  add(stream: StreamState): void {
    if (stream.listed) return;
    stream.listed = true;
    this.#streams.push(stream);
    this.pump();
  }

  pump(): void {
    // A stream that drains writes more, which comes back here.
    if (this.#pumping || this.#streams.length === 0) return;
    this.#pumping = true;
    let index = 0;
    while (index < this.#streams.length && this.room > 0) {
      const stream = this.#streams[index] as StreamState;
      index += 1;
      if (stream.step()) this.#streams.push(stream);
      else stream.listed = false;
      // Data that came while the stream was stepping.
      if (!stream.listed && stream.queuedBytes > 0 && stream.sendWindow > 0) {
        stream.listed = true;
        this.#streams.push(stream);
      }
    }
    this.#streams = this.#streams.slice(index);
    this.#pumping = false;
  }
}
