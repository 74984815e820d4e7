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
  stream.write(prefixOf(payload.length));
  return stream.write(payload);
}

/** Writes a message in two parts, of which the memory is the caller's again afterwards. Says whether there is room for more. */
export function writeParts(stream: Http2Stream, head: Uint8Array, tail: Uint8Array): boolean {
  stream.write(Buffer.concat([prefixOf(head.length + tail.length), head]));
  return stream.write(tail, true);
}

function prefixOf(length: number): Buffer {
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix[0] = 0;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

/**
 * Cuts a byte stream into messages.
 *
 * Every message is copied once, into memory of its own, so that chunks can be read into again and a small message that is kept
 * does not keep a large chunk.
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
      // Not before there is a byte of it: a peer that announces a message must send it to have memory taken.
      if (offset === chunk.length && this.#length > 0) return;
      this.#message ??= Buffer.allocUnsafe(this.#length);
      const copied = chunk.copy(this.#message, this.#filled, offset, offset + this.#length - this.#filled);
      this.#filled += copied;
      offset += copied;
      if (this.#filled < this.#length) return;
      const message = this.#message;
      this.#message = undefined;
      this.#filled = 0;
      this.#prefixLength = 0;
      emit(message);
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
