import type { Field } from "./field.ts";
import type { Http2Limits } from "./limits.ts";
import type { Http2Stream } from "./stream.ts";

/** Settings of a connection. */
export interface ConnectionOptions {
  readonly role: "client" | "server";
  readonly limits?: Partial<Http2Limits>;
  /** Payloads of at least this many bytes are not copied into the output; see `OutBuffer`. */
  readonly referenceFrom?: number;
  /** Monotonic time in ms. Default `performance.now`. */
  readonly now?: () => number;
}

/** Receiver of what happens on a connection. */
export interface ConnectionEvents {
  /** Output waits where none did before: call `takeOutput` within this turn of the event loop. */
  output(): void;
  /** The only open stream has sent its last frame, so that nothing is likely to join the output: it need not wait for others. */
  complete?(): void;
  /**
   * Acknowledgements of PING wait, for an answer that takes them along or behind data: call `releaseAcks` within a few
   * milliseconds. `output` follows when there is more. Without it they leave at once.
   */
  ack?(): void;
  /** Server: a request arrived. The stream is paused; set its sink before anything else. */
  request?(stream: Http2Stream, fields: readonly Field[]): void;
  /** The peer's first SETTINGS arrived. */
  ready?(): void;
  /** The peer will open or take no more streams. */
  goaway?(code: number): void;
  /** Everything is over: write the last output, then close the transport. */
  end(error: Error | undefined): void;
}

/** State of the flow control of a connection, for tests and diagnostics. */
export interface FlowState {
  /** Bytes the peer takes now. */
  readonly sendWindow: number;
  /** Bytes the peer may send, counting those received whose window update is not sent yet. */
  readonly receiveWindow: number;
  /** Bytes held in streams that nobody reads. */
  readonly bufferedBytes: number;
  /** Bytes that wait to be sent. */
  readonly queuedBytes: number;
}
