import { OsError } from "@talos-ts/base";
import type { Http2Stream } from "@talos-ts/http2";

const prefixBytes = 5;

/** A message with its length prefix, in one buffer so that it is one write. */
export function encodeFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + payload.length);
  frame[0] = 0;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, prefixBytes);
  return frame;
}

/** Below this size one copy is cheaper than a second write. */
const copyBelowBytes = 4096;

/** Writes a message; a large one follows its prefix instead of being copied behind it. Says whether there is room for more. */
export function writeFrame(stream: Http2Stream, payload: Uint8Array): boolean {
  if (payload.length < copyBelowBytes) return stream.write(encodeFrame(payload));
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix[0] = 0;
  prefix.writeUInt32BE(payload.length, 1);
  stream.write(prefix);
  return stream.write(payload);
}

/**
 * Cuts a byte stream into messages.
 *
 * A message inside one chunk is a view of it; one that spans chunks is copied once, into a buffer of its size. A view
 * keeps its chunk alive: whoever stores bytes of a message for long copies them.
 */
export class Deframer {
  readonly #maxBytes: number;
  readonly #onMessage: ((bytes: number) => void) | undefined;
  /** Made when a prefix comes in parts. */
  #prefix: Buffer | undefined;
  #prefixLength = 0;
  #length = 0;
  #message: Buffer | undefined;
  #filled = 0;

  constructor(maxBytes: number, onMessage?: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#onMessage = onMessage;
  }

  /** True while the bytes so far end inside a message. */
  get partial(): boolean {
    return this.#prefixLength > 0;
  }

  /**
   * Hands every message that `chunk` completes to `emit`.
   *
   * @throws {OsError} `grpc/message-too-large` or `grpc/compressed`, before anything is allocated for the message.
   */
  push(chunk: Buffer, emit: (payload: Uint8Array) => void): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#prefixLength < prefixBytes) {
        offset = this.#readPrefix(chunk, offset);
        if (this.#prefixLength < prefixBytes) return;
      }
      const available = chunk.length - offset;
      const needed = this.#length - this.#filled;
      if (this.#message === undefined) {
        if (available >= needed) {
          this.#prefixLength = 0;
          emit(chunk.subarray(offset, offset + needed));
          offset += needed;
          continue;
        }
        if (available === 0) return;
        this.#message = Buffer.allocUnsafeSlow(this.#length);
      }
      const copied = chunk.copy(this.#message, this.#filled, offset, offset + Math.min(available, needed));
      this.#filled += copied;
      offset += copied;
      if (this.#filled < this.#length) return;
      const message = this.#message;
      this.#message = undefined;
      this.#filled = 0;
      this.#prefixLength = 0;
      emit(message);
    }
    // An empty message at the very end of a chunk has no byte that would drive the loop.
    if (this.#prefixLength === prefixBytes && this.#length === 0) {
      this.#prefixLength = 0;
      emit(chunk.subarray(0, 0));
    }
  }

  #readPrefix(chunk: Buffer, offset: number): number {
    if (this.#prefixLength === 0 && chunk.length - offset >= prefixBytes) {
      this.#prefixLength = prefixBytes;
      this.#length = messageLength(chunk, this.#maxBytes, offset);
      this.#onMessage?.(this.#length);
      return offset + prefixBytes;
    }
    this.#prefix ??= Buffer.allocUnsafe(prefixBytes);
    const copied = chunk.copy(this.#prefix, this.#prefixLength, offset, offset + prefixBytes - this.#prefixLength);
    this.#prefixLength += copied;
    if (this.#prefixLength === prefixBytes) {
      this.#length = messageLength(this.#prefix, this.#maxBytes);
      this.#onMessage?.(this.#length);
    }
    return offset + copied;
  }
}

/**
 * The length in the prefix of a message, which begins at `offset`.
 *
 * @throws {OsError} `grpc/message-too-large` or `grpc/compressed`.
 */
export function messageLength(prefix: Buffer, maxBytes: number, offset = 0): number {
  if (prefix[offset] !== 0) {
    throw new OsError({
      kind: "unimplemented",
      code: "grpc/compressed",
      message: "Cannot read a compressed message: this peer accepts identity encoding only",
    });
  }
  const length = prefix.readUInt32BE(offset + 1);
  if (length > maxBytes) {
    throw new OsError({
      kind: "resource-exhausted",
      code: "grpc/message-too-large",
      message: `Cannot receive a message of ${String(length)} bytes: the limit is ${String(maxBytes)}`,
    });
  }
  return length;
}
