import type { Field } from "./field.ts";

/** Receiver of what happens on a stream. */
export interface StreamSink {
  /** Client: the response, once; informational responses are left out. */
  headers?(fields: readonly Field[]): void;
  /**
   * True when `data` keeps nothing of a chunk but what it writes to a stream, so that the memory can be used for the next one.
   *
   * @default {false} a chunk is valid for as long as it is kept
   */
  readonly borrows?: boolean;
  /** Payload as it arrived. */
  data(chunk: Buffer): void;
  trailers?(fields: readonly Field[]): void;
  /** The peer sends nothing more; everything was delivered. */
  end(): void;
  /** There is room again after `write` returned `false`. */
  drain(): void;
  /**
   * The stream is over, once and last.
   *
   * @param code `0` when both sides ended it, else the error code of the reset
   */
  close(code: number): void;
}

/** One request and its response (RFC 9113 section 5). */
export interface Http2Stream {
  /** `0` while a request waits for the peer to allow another stream. */
  readonly id: number;
  sink: StreamSink;
  /** Nothing more is sent. */
  readonly closed: boolean;
  /** Headers were sent by this side. */
  readonly headersSent: boolean;
  /** END_STREAM was sent, or is queued behind data. */
  readonly localEnded: boolean;
  /** END_STREAM was received and everything before it was delivered. */
  readonly remoteEnded: boolean;
  /** Error code of the reset; `undefined` when there was none. */
  readonly resetCode: number | undefined;
  /** Sends a header list. A server calls it once; ending the stream leaves no room for data or trailers. */
  sendHeaders(fields: readonly Field[], endStream?: boolean): void;
  /**
   * Sends data. Returns whether there is room for more; otherwise `drain` follows.
   *
   * @param borrowed true when the memory of the chunk is used for something else after the call; it is copied then. @default {false}
   */
  write(chunk: Uint8Array, borrowed?: boolean): boolean;
  /** Ends this side, after last data and with trailers if given. */
  end(chunk?: Uint8Array, trailers?: readonly Field[]): void;
  /** Holds data back; what arrives is kept up to the stream's window. Streams of a server start so. */
  pause(): void;
  resume(): void;
  /** Drops what the peer still sends, and tells it to stop (RST_STREAM with NO_ERROR) as soon as this side has ended. */
  discardRest(): void;
  /** Ends both sides at once. */
  reset(code: number): void;
}

const nobody: StreamSink = { data() {}, end() {}, drain() {}, close() {} };

/** Receives and drops everything. */
export const nullSink: StreamSink = nobody;
