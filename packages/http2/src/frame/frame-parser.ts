import { errorCodes, flags, frameHeaderBytes, frameTypes, maxUint31, preface } from "../constants.ts";
import { Http2Error } from "../errors.ts";

/** Receiver of what the parser reads. A callback that throws ends the connection. */
export interface FrameSink {
  /** A DATA frame begins; `length` counts against the windows and includes padding. */
  dataStart(streamId: number, length: number): void;
  /** Part of its payload, as it arrived: a frame may come in many parts. */
  dataPart(streamId: number, chunk: Buffer): void;
  dataEnd(streamId: number, endStream: boolean): void;
  /** A whole frame of any other type; the payload is valid during the call. */
  frame(type: number, frameFlags: number, streamId: number, payload: Buffer): void;
}

export interface FrameParserOptions {
  /** Largest payload accepted, in bytes. */
  readonly maxFrameBytes: number;
  /** A server expects the client's preface before the first frame. */
  readonly expectPreface: boolean;
}

/**
 * Incremental parser: any split of the bytes into chunks gives the same frames.
 *
 * Only a frame that is not DATA and spans chunks is copied, and at most `maxFrameBytes` of it are kept.
 */
export class FrameParser {
  readonly #sink: FrameSink;
  readonly #maxFrameBytes: number;
  readonly #header = Buffer.allocUnsafeSlow(frameHeaderBytes);
  #prefaceLeft: number;
  #headerLength = 0;
  #type = 0;
  #flags = 0;
  #streamId = 0;
  /** Bytes of the frame that have not arrived yet, padding included. */
  #left = 0;
  #padding = 0;
  #paddingKnown = true;
  #payload: Buffer | undefined;
  /** Bytes of the chunk under way behind the frame under way. */
  #behind = 0;
  #stopped = false;

  constructor(sink: FrameSink, options: FrameParserOptions) {
    this.#sink = sink;
    this.#maxFrameBytes = options.maxFrameBytes;
    this.#prefaceLeft = options.expectPreface ? preface.length : 0;
  }

  /** True when the bytes so far end inside a frame. */
  get partial(): boolean {
    return this.#headerLength > 0;
  }

  /** True while a frame is handed out whose chunk has more bytes behind it. */
  get moreFollows(): boolean {
    return this.#behind > 0;
  }

  /** Drops everything from now on, also the rest of the chunk under way. */
  stop(): void {
    this.#stopped = true;
    this.#payload = undefined;
  }

  /** @throws {Http2Error} when the bytes are no acceptable frames. */
  push(chunk: Buffer): void {
    let offset = this.#prefaceLeft > 0 ? this.#readPreface(chunk) : 0;
    while (offset < chunk.length && !this.#stopped) {
      if (this.#headerLength < frameHeaderBytes) {
        offset = this.#readHeader(chunk, offset);
        if (this.#headerLength < frameHeaderBytes) return;
        this.#begin();
        if (this.#left > 0) continue;
      }
      this.#behind = chunk.length - offset - this.#left;
      offset = this.#type === frameTypes.data ? this.#readData(chunk, offset) : this.#readPayload(chunk, offset);
    }
  }

  #readPreface(chunk: Buffer): number {
    const start = preface.length - this.#prefaceLeft;
    const count = Math.min(chunk.length, this.#prefaceLeft);
    if (preface.compare(chunk, 0, count, start, start + count) !== 0) {
      throw new Http2Error(errorCodes.protocolError, "The peer does not speak HTTP/2: wrong connection preface");
    }
    this.#prefaceLeft -= count;
    return count;
  }

  #readHeader(chunk: Buffer, offset: number): number {
    const count = Math.min(chunk.length - offset, frameHeaderBytes - this.#headerLength);
    const whole = count === frameHeaderBytes;
    const source = whole ? chunk : this.#header;
    if (!whole) chunk.copy(this.#header, this.#headerLength, offset, offset + count);
    this.#headerLength += count;
    if (this.#headerLength < frameHeaderBytes) return offset + count;
    const at = whole ? offset : 0;
    const byte = (index: number): number => source[at + index] as number;
    this.#left = (byte(0) << 16) | (byte(1) << 8) | byte(2);
    this.#type = byte(3);
    this.#flags = byte(4);
    this.#streamId = ((byte(5) << 24) | (byte(6) << 16) | (byte(7) << 8) | byte(8)) & maxUint31;
    return offset + count;
  }

  #begin(): void {
    if (this.#left > this.#maxFrameBytes) {
      const size = `${String(this.#left)} bytes, ${String(this.#maxFrameBytes)} are allowed`;
      throw new Http2Error(errorCodes.frameSizeError, `A frame is too large: ${size}`);
    }
    if (this.#type !== frameTypes.data) return;
    this.#sink.dataStart(this.#streamId, this.#left);
    this.#padding = 0;
    this.#paddingKnown = (this.#flags & flags.padded) === 0;
    if (!this.#paddingKnown && this.#left === 0) {
      throw new Http2Error(errorCodes.frameSizeError, "A padded DATA frame lacks its pad length");
    }
  }

  #readData(chunk: Buffer, start: number): number {
    let offset = start;
    if (!this.#paddingKnown) {
      this.#padding = chunk[offset] as number;
      this.#paddingKnown = true;
      offset += 1;
      this.#left -= 1;
      if (this.#padding > this.#left) {
        throw new Http2Error(errorCodes.protocolError, "The padding of a DATA frame exceeds its payload");
      }
    }
    const content = Math.min(chunk.length - offset, this.#left - this.#padding);
    if (content > 0) {
      this.#left -= content;
      const part = content === chunk.length ? chunk : chunk.subarray(offset, offset + content);
      offset += content;
      this.#sink.dataPart(this.#streamId, part);
    }
    if (this.#left <= this.#padding) {
      const skipped = Math.min(chunk.length - offset, this.#left);
      offset += skipped;
      this.#left -= skipped;
      this.#padding -= skipped;
      if (this.#left === 0) {
        this.#headerLength = 0;
        this.#sink.dataEnd(this.#streamId, (this.#flags & flags.endStream) !== 0);
      }
    }
    return offset;
  }

  #readPayload(chunk: Buffer, offset: number): number {
    const count = Math.min(chunk.length - offset, this.#left);
    let payload: Buffer;
    if (this.#payload === undefined && count === this.#left) payload = chunk.subarray(offset, offset + count);
    else {
      const filled = this.#payload === undefined ? 0 : this.#payload.length - this.#left;
      this.#payload ??= Buffer.allocUnsafeSlow(this.#left);
      chunk.copy(this.#payload, filled, offset, offset + count);
      payload = this.#payload;
    }
    this.#left -= count;
    if (this.#left === 0) {
      this.#headerLength = 0;
      this.#payload = undefined;
      this.#sink.frame(this.#type, this.#flags, this.#streamId, payload);
    }
    return offset + count;
  }
}
