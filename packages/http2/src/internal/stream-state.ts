import { errorCodes, maxUint31 } from "../constants.ts";
import type { Field } from "../field.ts";
import { holdReceived, keepReceived, releaseReceived } from "./received-bytes.ts";
import { nullSink, type Http2Stream, type StreamSink } from "../stream.ts";

/** Operations of a connection that a stream needs. */
export interface StreamHost {
  /** Room in the connection's window and in the output, in bytes. */
  readonly sendRoom: number;
  /** Largest payload the peer accepts. */
  readonly maxFrameBytes: number;
  /** Window that a stream which is read gets, with as many streams open as there are now. */
  readonly windowBytes: number;
  readonly now: () => number;
  writeHeaders(streamId: number, fields: readonly Field[], endStream: boolean): void;
  /**
   * @param whole false when a window cut the data short
   * @param borrowed see `Http2Stream.write`
   */
  writeData(streamId: number, chunk: Uint8Array, endStream: boolean, whole: boolean, borrowed: boolean): void;
  /** Ends a stream without trailers. */
  writeEnd(streamId: number): void;
  writeReset(stream: StreamState, code: number): void;
  writeWindowUpdate(streamId: number, bytes: number): void;
  /** The stream has something to send and could not. */
  awaitRoom(stream: StreamState): void;
  /** Bytes that wait in streams changed. @returns false when there are too many */
  queued(bytes: number): boolean;
  buffered(bytes: number): void;
  /** This side has sent everything. */
  ended(): void;
  /** Both sides are over. */
  retire(stream: StreamState, how: "ended" | "reset-by-peer" | "reset-here"): void;
  /** The stream has told its user so. */
  retired(): void;
}

/** Bytes waiting on a stream above which `write` says so, and below which `drain` follows. */
const highWaterBytes = 64 * 1024;
const lowWaterBytes = 16 * 1024;

/** State machine of one stream. The connection calls the methods whose names begin with `receive`. */
export class StreamState implements Http2Stream {
  id: number;
  sink: StreamSink = nullSink;
  headersSent = false;
  resetCode: number | undefined;
  /** Bytes that the peer takes now. */
  sendWindow: number;
  /** Bytes that the peer may still send. */
  receiveWindow: number;
  /** True while the connection has the stream in its list of those with something to send. */
  listed = false;
  /** Client: the response headers arrived. */
  responded = false;
  /** Flow-controlled bytes of the DATA frame under way, padding included. */
  frameBytes = 0;
  /** Since when data waits without progress. */
  stalledSinceMs: number | undefined;
  readonly #host: StreamHost;
  #windowBytes: number;
  readonly #server: boolean;
  #queue: Uint8Array[] = [];
  #queueHead = 0;
  #queuedBytes = 0;
  #trailers: readonly Field[] | undefined;
  #ending = false;
  #endSent = false;
  #needsDrain = false;
  #paused: boolean;
  #flushing = false;
  #discarding = false;
  #buffer: Buffer[] = [];
  #bufferedBytes = 0;
  #consumedBytes = 0;
  #endReceived = false;
  #endDelivered = false;
  #receivedTrailers: readonly Field[] | undefined;
  #expectedBytes = -1;
  #receivedBytes = 0;
  #frameContent = 0;
  #closed = false;
  #closeNotified = false;

  /** @param server streams of a server start paused, and a reset of one is a cancellation whatever was received before */
  constructor(host: StreamHost, id: number, sendWindow: number, windowBytes: number, server: boolean) {
    this.#host = host;
    this.id = id;
    this.sendWindow = sendWindow;
    this.receiveWindow = windowBytes;
    this.#windowBytes = windowBytes;
    this.#paused = server;
    this.#server = server;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get localEnded(): boolean {
    return this.#ending;
  }

  get remoteEnded(): boolean {
    return this.#endDelivered;
  }

  /** END_STREAM was received. */
  get halfClosedRemote(): boolean {
    return this.#endReceived;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  sendHeaders(fields: readonly Field[], endStream = false): void {
    if (this.#closed || this.#ending) return;
    this.headersSent = true;
    this.#ending = endStream;
    this.#host.writeHeaders(this.id, fields, endStream);
    if (endStream) this.#sentEnd();
  }

  write(chunk: Uint8Array, borrowed = false): boolean {
    if (this.#closed || this.#ending || chunk.length === 0) return this.#queuedBytes < highWaterBytes;
    let rest = chunk;
    while (this.#queuedBytes === 0 && this.id !== 0) {
      const count = this.#sendable(rest.length);
      if (count <= 0) break;
      const isLast = count === rest.length;
      this.#send(
        isLast ? rest : rest.subarray(0, count),
        false,
        isLast || count === this.#host.maxFrameBytes,
        borrowed,
      );
      if (isLast) return true;
      rest = rest.subarray(count);
    }
    this.#enqueue(rest, borrowed);
    if (this.#queuedBytes < highWaterBytes) return true;
    this.#needsDrain = true;
    return false;
  }

  end(chunk?: Uint8Array, trailers?: readonly Field[]): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    this.#trailers = trailers;
    if (chunk !== undefined && chunk.length > 0) {
      if (this.#queuedBytes > 0 || this.id === 0 || this.#sendable(chunk.length) < chunk.length) {
        this.#enqueue(chunk, false);
        return;
      }
      this.#send(chunk, trailers === undefined, true);
      if (trailers === undefined) this.#sentEnd();
    }
    if (!this.#endSent && this.#queuedBytes === 0 && this.id !== 0) this.#sendEnd();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (!this.#flushing) this.#flush();
  }

  discardRest(): void {
    if (this.#closed || this.#endReceived) return;
    this.#discarding = true;
    this.#dropBuffer();
    if (this.#endSent) this.reset(errorCodes.noError);
  }

  reset(code: number): void {
    if (this.#closed) return;
    this.resetCode = code;
    this.#host.writeReset(this, code);
    this.#close("reset-here");
  }

  /** Sends one frame of what waits. @returns whether another can follow now */
  step(): boolean {
    const chunk = this.#queue[this.#queueHead];
    if (this.#closed || chunk === undefined) return false;
    const count = this.#sendable(chunk.length);
    if (count <= 0) return false;
    const rest = chunk.length - count;
    const last = rest === 0 && this.#queueHead + 1 === this.#queue.length;
    const ends = last && this.#ending && this.#trailers === undefined;
    const whole = rest === 0 || count === this.#host.maxFrameBytes;
    if (rest === 0) this.#dequeue();
    else this.#queue[this.#queueHead] = chunk.subarray(count);
    this.#queuedBytes -= count;
    this.#host.queued(-count);
    this.stalledSinceMs = last ? undefined : this.#host.now();
    this.#send(rest === 0 ? chunk : chunk.subarray(0, count), ends, whole);
    if (rest === 0) releaseReceived(chunk);
    if (ends) this.#sentEnd();
    else if (last && this.#ending) this.#sendEnd();
    if (this.#needsDrain && this.#queuedBytes <= lowWaterBytes && !this.#closed) {
      this.#needsDrain = false;
      this.sink.drain();
    }
    return this.#queuedBytes > 0 && this.sendWindow > 0;
  }

  /** A request that waited for its turn begins. */
  open(id: number, sendWindow: number, fields: readonly Field[]): void {
    this.id = id;
    this.sendWindow = sendWindow;
    this.headersSent = true;
    const endsAtOnce = this.#ending && this.#queuedBytes === 0 && this.#trailers === undefined;
    this.#host.writeHeaders(id, fields, endsAtOnce);
    if (endsAtOnce) this.#sentEnd();
    else if (this.#queuedBytes > 0) this.#host.awaitRoom(this);
    else if (this.#ending) this.#sendEnd();
  }

  expectLength(bytes: number | undefined): void {
    this.#expectedBytes = bytes ?? -1;
  }

  receive(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    this.#frameContent += chunk.length;
    if (this.#discarding) return;
    if (this.#paused || this.#bufferedBytes > 0 || this.#flushing) {
      this.#buffer.push(holdReceived(chunk));
      this.#bufferedBytes += chunk.length;
      this.#host.buffered(chunk.length);
      return;
    }
    if (this.sink.borrows !== true) keepReceived(chunk);
    this.sink.data(chunk);
    this.receiveConsumed(chunk.length);
  }

  /** Gives the peer room again for bytes that were delivered, or that were padding. */
  receiveConsumed(bytes: number): void {
    this.#consumedBytes += bytes;
    if (this.#consumedBytes * 2 < this.#windowBytes || this.#endReceived || this.#closed) return;
    const { windowBytes } = this.#host;
    const increment = this.#consumedBytes + windowBytes - this.#windowBytes;
    // A window that has to become smaller is not refilled until it has.
    if (increment <= 0) return;
    this.#windowBytes = windowBytes;
    this.#consumedBytes = 0;
    this.receiveWindow += increment;
    this.#host.writeWindowUpdate(this.id, increment);
  }

  /** A DATA frame is complete: what of it was padding needs nobody to read it. @returns whether it had content */
  receivePadding(): boolean {
    const content = this.#frameContent;
    this.#frameContent = 0;
    if (content < this.frameBytes) this.receiveConsumed(this.frameBytes - content);
    return content > 0;
  }

  /** @returns false when the content has another length than announced */
  receiveEnd(trailers?: readonly Field[]): boolean {
    if (this.#expectedBytes >= 0 && this.#expectedBytes !== this.#receivedBytes) return false;
    this.#endReceived = true;
    this.#receivedTrailers = trailers;
    if (!this.#flushing) this.#flush();
    if (this.#endSent) this.#close("ended");
    return true;
  }

  receiveReset(code: number): void {
    if (this.#closed) return;
    // A response that ended is whole: the reset takes nothing away that was not delivered yet.
    if (this.#server || !this.#endReceived) this.resetCode = code;
    this.#close("reset-by-peer");
  }

  /** @returns false when the window overflows */
  receiveWindowUpdate(bytes: number): boolean {
    this.sendWindow += bytes;
    if (this.sendWindow > maxUint31) return false;
    if (this.#queuedBytes > 0) this.#host.awaitRoom(this);
    return true;
  }

  /** How many of so many bytes the next frame can carry; not above 0 when none can be sent now. */
  #sendable(bytes: number): number {
    const { sendRoom, maxFrameBytes } = this.#host;
    return Math.min(bytes, this.sendWindow, sendRoom, maxFrameBytes);
  }

  #send(chunk: Uint8Array, endStream: boolean, whole: boolean, borrowed = false): void {
    this.sendWindow -= chunk.length;
    this.#host.writeData(this.id, chunk, endStream, whole, borrowed);
  }

  #enqueue(chunk: Uint8Array, borrowed: boolean): void {
    this.#queue.push(borrowed ? Buffer.from(chunk) : holdReceived(chunk));
    if (this.#queuedBytes === 0) this.stalledSinceMs = this.#host.now();
    this.#queuedBytes += chunk.length;
    if (!this.#host.queued(chunk.length)) this.reset(errorCodes.enhanceYourCalm);
    else if (this.id !== 0) this.#host.awaitRoom(this);
  }

  #dequeue(): void {
    this.#queue[this.#queueHead] = empty;
    this.#queueHead += 1;
    if (this.#queueHead < this.#queue.length) return;
    this.#queue = [];
    this.#queueHead = 0;
  }

  #sendEnd(): void {
    if (this.#trailers === undefined) this.#host.writeEnd(this.id);
    else this.#host.writeHeaders(this.id, this.#trailers, true);
    this.#sentEnd();
  }

  #sentEnd(): void {
    this.#endSent = true;
    this.#host.ended();
    if (this.#endReceived) this.#close("ended");
    else if (this.#discarding) this.reset(errorCodes.noError);
  }

  #flush(): void {
    this.#flushing = true;
    try {
      while (!this.#paused && this.#buffer.length > 0) {
        const chunks = this.#buffer;
        this.#buffer = [];
        for (const [index, chunk] of chunks.entries()) {
          if (this.#paused || this.resetCode !== undefined) {
            this.#buffer = [...chunks.slice(index), ...this.#buffer];
            break;
          }
          this.#bufferedBytes -= chunk.length;
          this.#host.buffered(-chunk.length);
          if (this.sink.borrows !== true) keepReceived(chunk);
          this.sink.data(chunk);
          releaseReceived(chunk);
          this.receiveConsumed(chunk.length);
        }
        if (this.resetCode !== undefined) this.#dropBuffer();
      }
    } finally {
      this.#flushing = false;
    }
    if (this.#paused || this.#bufferedBytes > 0 || !this.#endReceived || this.#endDelivered) return;
    if (this.resetCode !== undefined) return;
    this.#endDelivered = true;
    if (this.#receivedTrailers !== undefined) this.sink.trailers?.(this.#receivedTrailers);
    this.sink.end();
    this.#notifyClose();
  }

  #close(how: "ended" | "reset-by-peer" | "reset-here"): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ending = true;
    this.#host.queued(-this.#queuedBytes);
    for (const chunk of this.#queue) releaseReceived(chunk);
    this.#queue = [];
    this.#queueHead = 0;
    this.#queuedBytes = 0;
    this.stalledSinceMs = undefined;
    if (this.resetCode !== undefined && !this.#flushing) this.#dropBuffer();
    this.#host.retire(this, how);
    this.#notifyClose();
    this.#host.retired();
  }

  #dropBuffer(): void {
    if (this.#bufferedBytes > 0) this.#host.buffered(-this.#bufferedBytes);
    for (const chunk of this.#buffer) releaseReceived(chunk);
    this.#buffer = [];
    this.#bufferedBytes = 0;
  }

  /** After everything that was received whole has been delivered. */
  #notifyClose(): void {
    if (!this.#closed || this.#closeNotified) return;
    if (this.resetCode === undefined && !this.#endDelivered) return;
    this.#closeNotified = true;
    this.sink.close(this.resetCode ?? errorCodes.noError);
  }
}

const empty = new Uint8Array(0);
