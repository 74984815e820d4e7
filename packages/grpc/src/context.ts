import type { OsError } from "@talos-ts/base";
import type { Metadata } from "./metadata.ts";
import type { MethodInfo } from "./method.ts";
import type { Peer } from "./peer.ts";

/** Context of a call, for its handler. */
export interface CallContext {
  readonly method: MethodInfo;
  /** Aborts when the caller cancels, the deadline passes, or the connection is lost. */
  readonly signal: AbortSignal;
  /** Request metadata. */
  readonly metadata: Metadata;
  /** The values of one key of the request metadata, which must not end in `-bin`; cheaper than `metadata` for a few keys. */
  valuesOf(key: string): readonly string[];
  /** Sent with the first message, or earlier by `sendHeader`. */
  readonly responseHeader: Metadata;
  /** Sent with the status. */
  readonly responseTrailer: Metadata;
  readonly peer: Peer;
  /** The name the caller dialled, from `:authority`. */
  readonly authority: string;
  /** Milliseconds since the epoch; `undefined` when the caller set no deadline. */
  readonly deadlineMs: number | undefined;
  /** Notes that interceptors leave for handlers. */
  readonly values: Map<symbol, unknown>;
  /** Sends `responseHeader` before the first message. */
  sendHeader(): void;
}

/** Runs around a call: `next` serves it, and settles when the handler has. What is thrown becomes the status. */
export type ServerInterceptor = (context: CallContext, next: () => Promise<void>) => Promise<void>;

/** Follows the request of a call as it arrives. */
export interface RequestObserver {
  /** Called with the length of each request message before it is received; what it throws ends the call. */
  message(bytes: number): void;
  /** Called when the caller has sent everything. */
  end(): void;
}

/** A call whose messages are bytes: the hook for proxies and for methods unknown at build time. */
export interface RawServerCall extends CallContext {
  /** Request messages without their length prefix, for one consumer. */
  readonly requests: AsyncIterableIterator<Uint8Array, undefined>;
  /** Sends one response message; resolves when there is room for the next. */
  send(message: Uint8Array): Promise<void>;
  /** Follows the request; to be called before anything of it is read. */
  observeRequests(observer: RequestObserver): void;
  /** Ends the call with an error, for the caller and for its handler. */
  abort(error: OsError): void;
}

/** Serves a raw call: returning means OK with `responseTrailer`, throwing means a status. */
export type RawHandler = (call: RawServerCall) => void | Promise<void>;
