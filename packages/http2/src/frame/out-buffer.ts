import { flags, frameHeaderBytes, frameTypes } from "../constants.ts";
import { keepReceived } from "../internal/received-bytes.ts";
import { slabBytes, takeSlab } from "../internal/slab-pool.ts";

const minSlabBytes = 1024;

/**
 * Output of a connection between two turns of the event loop.
 *
 * Frames are written one behind the other into buffers that grow with the traffic, so that many small frames are one write. What
 * was taken is never written to again.
 */
export class OutBuffer {
  /** The current buffer and the offset behind what is in it; encoders write here after `reserve`. */
  bytes: Buffer = Buffer.alloc(0);
  position = 0;
  readonly #referenceFrom: number;
  #start = 0;
  #slabBytes = minSlabBytes;
  #sealed: Buffer[] = [];
  #sealedBytes = 0;
  /** Offset of the flags of the last DATA frame. */
  #lastData: Buffer = this.bytes;
  #lastFlags = 0;
  #lastStreamId = 0;
  #lastLength = 0;

  /** @param referenceFrom payloads of at least this many bytes are not copied; `Infinity` for TLS, which copies anyway */
  constructor(referenceFrom = Number.POSITIVE_INFINITY) {
    this.#referenceFrom = referenceFrom;
  }

  /** Bytes that wait to be taken. */
  get length(): number {
    return this.#sealedBytes + this.position - this.#start;
  }

  /** Makes room for `count` bytes in one piece at `position`. */
  reserve(count: number): void {
    if (this.bytes.length - this.position >= count) return;
    this.#seal();
    const size = Math.max(count, this.#slabBytes);
    this.bytes = size === slabBytes ? takeSlab() : Buffer.allocUnsafeSlow(size);
    this.position = 0;
    this.#start = 0;
    this.#slabBytes = Math.min(this.#slabBytes * 4, slabBytes);
  }

  frameHeader(length: number, type: number, frameFlags: number, streamId: number): void {
    this.reserve(frameHeaderBytes);
    writeFrameHeader(this.bytes, this.position, length, type, frameFlags, streamId);
    this.position += frameHeaderBytes;
  }

  /** @param borrowed true when the memory of the chunk is its owner's again after the call */
  append(chunk: Uint8Array, borrowed = false): void {
    if (chunk.length >= this.#referenceFrom && !borrowed) {
      keepReceived(chunk);
      this.#seal();
      this.#push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      return;
    }
    let offset = 0;
    while (offset < chunk.length) {
      if (this.position === this.bytes.length) this.reserve(Math.min(chunk.length - offset, slabBytes));
      const count = Math.min(chunk.length - offset, this.bytes.length - this.position);
      this.bytes.set(count === chunk.length ? chunk : chunk.subarray(offset, offset + count), this.position);
      this.position += count;
      offset += count;
    }
  }

  data(streamId: number, chunk: Uint8Array, endStream: boolean, borrowed = false): void {
    this.frameHeader(chunk.length, frameTypes.data, endStream ? flags.endStream : 0, streamId);
    this.#lastData = this.bytes;
    this.#lastFlags = this.position - frameHeaderBytes + 4;
    this.#lastStreamId = endStream ? 0 : streamId;
    this.append(chunk, borrowed);
    this.#lastLength = this.length;
  }

  /** Makes the frame written last end its stream, if it is DATA of that stream and was not taken yet. */
  endLast(streamId: number): boolean {
    if (this.#lastStreamId !== streamId || this.#lastLength !== this.length) return false;
    this.#lastData[this.#lastFlags] = flags.endStream;
    this.#lastStreamId = 0;
    return true;
  }

  rstStream(streamId: number, code: number): void {
    this.#words(frameTypes.rstStream, streamId, code);
  }

  windowUpdate(streamId: number, increment: number): void {
    this.#words(frameTypes.windowUpdate, streamId, increment);
  }

  goaway(lastStreamId: number, code: number, debug = ""): void {
    const text = Buffer.from(debug, "latin1");
    this.frameHeader(8 + text.length, frameTypes.goaway, 0, 0);
    this.reserve(8);
    this.bytes.writeUInt32BE(lastStreamId, this.position);
    this.bytes.writeUInt32BE(code, this.position + 4);
    this.position += 8;
    this.append(text);
  }

  ping(opaque: Uint8Array, ack: boolean): void {
    this.frameHeader(opaque.length, frameTypes.ping, ack ? flags.ack : 0, 0);
    this.append(opaque);
  }

  settings(entries: readonly (readonly [id: number, value: number])[]): void {
    this.frameHeader(entries.length * 6, frameTypes.settings, 0, 0);
    this.reserve(entries.length * 6);
    for (const [id, value] of entries) {
      this.bytes.writeUInt16BE(id, this.position);
      this.bytes.writeUInt32BE(value, this.position + 2);
      this.position += 6;
    }
  }

  settingsAck(): void {
    this.frameHeader(0, frameTypes.settings, flags.ack, 0);
  }

  /** Everything so far, in order. */
  take(): Buffer[] {
    this.#seal();
    const taken = this.#sealed;
    this.#sealed = [];
    this.#sealedBytes = 0;
    this.#lastStreamId = 0;
    return taken;
  }

  #words(type: number, streamId: number, value: number): void {
    this.reserve(frameHeaderBytes + 4);
    writeFrameHeader(this.bytes, this.position, 4, type, 0, streamId);
    this.bytes.writeUInt32BE(value, this.position + frameHeaderBytes);
    this.position += frameHeaderBytes + 4;
  }

  #seal(): void {
    if (this.position === this.#start) return;
    this.#push(this.bytes.subarray(this.#start, this.position));
    this.#start = this.position;
  }

  #push(chunk: Buffer): void {
    this.#sealed.push(chunk);
    this.#sealedBytes += chunk.length;
  }
}

export function writeFrameHeader(
  out: Buffer,
  offset: number,
  length: number,
  type: number,
  frameFlags: number,
  streamId: number,
): void {
  out[offset] = length >>> 16;
  out[offset + 1] = length >>> 8;
  out[offset + 2] = length;
  out[offset + 3] = type;
  out[offset + 4] = frameFlags;
  out[offset + 5] = streamId >>> 24;
  out[offset + 6] = streamId >>> 16;
  out[offset + 7] = streamId >>> 8;
  out[offset + 8] = streamId;
}
