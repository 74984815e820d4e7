import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { OsError } from "@talos-ts/base";
import type { RawServerCall, RequestObserver } from "../context.ts";
import { Metadata } from "../metadata.ts";
import type { MethodInfo } from "../method.ts";
import type { Peer } from "../peer.ts";
import { addStatus, statusError } from "../status.ts";
import { FrameMeter } from "./frame-meter.ts";
import { encodeFrame, writeFrame } from "./frame.ts";
import { addMetadata, contentType, metadataOf } from "./headers.ts";
import { MessageQueue } from "./message-queue.ts";
import { maxTimerMs } from "./timeout.ts";

export interface ServerCallInit {
  readonly stream: ServerHttp2Stream;
  readonly method: MethodInfo;
  readonly peer: Peer;
  readonly authority: string;
  readonly rawHeaders: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly maxReceiveBytes: number;
  readonly maxSendBytes: number;
  /** @default unbounded */
  readonly maxFields?: number;
}

/**
 * One call on the server, from its headers to its status.
 *
 * Most calls never look at their signal, metadata or trailers, so those come into being when asked for.
 */
export class ServerCall implements RawServerCall {
  readonly stream: ServerHttp2Stream;
  readonly method: MethodInfo;
  readonly peer: Peer;
  readonly authority: string;
  readonly deadlineMs: number | undefined;
  readonly #init: ServerCallInit;
  #metadata: Metadata | undefined;
  #responseHeader: Metadata | undefined;
  #responseTrailer: Metadata | undefined;
  #values: Map<symbol, unknown> | undefined;
  #controller: AbortController | undefined;
  #requests: MessageQueue<Uint8Array> | undefined;
  #cancelled: OsError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reply: Uint8Array | undefined;
  #status: unknown;
  #rawTrailers: OutgoingHttpHeaders | undefined;
  #finished = false;
  #room: PromiseWithResolvers<void> | undefined;
  #onCancel: ((error: OsError) => void) | undefined;
  #observer: RequestObserver | undefined;

  constructor(init: ServerCallInit) {
    this.#init = init;
    this.stream = init.stream;
    this.method = init.method;
    this.peer = init.peer;
    this.authority = init.authority;
    this.deadlineMs = init.timeoutMs === undefined ? undefined : Date.now() + init.timeoutMs;
    if (init.timeoutMs !== undefined && init.timeoutMs <= maxTimerMs) {
      this.#timer = setTimeout(() => this.#expire(), init.timeoutMs);
    }
    this.stream.on("aborted", () => this.#lost());
    this.stream.on("close", () => this.#lost());
  }

  get metadata(): Metadata {
    return (this.#metadata ??= metadataOf(this.#init.rawHeaders));
  }

  get responseHeader(): Metadata {
    return (this.#responseHeader ??= new Metadata());
  }

  get responseTrailer(): Metadata {
    return (this.#responseTrailer ??= new Metadata());
  }

  get values(): Map<symbol, unknown> {
    return (this.#values ??= new Map());
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled);
    }
    return this.#controller.signal;
  }

  get requests(): MessageQueue<Uint8Array> {
    return (this.#requests ??= this.read((payload) => payload));
  }

  /** Reason of the cancellation; `undefined` while the caller waits. */
  get cancelled(): OsError | undefined {
    return this.#cancelled;
  }

  /** Calls back once when the caller stops waiting, at once if it already has. */
  onCancel(callback: (error: OsError) => void): void {
    if (this.#cancelled === undefined) this.#onCancel = callback;
    else callback(this.#cancelled);
  }

  observeRequests(observer: RequestObserver): void {
    this.#observer = observer;
  }

  abort(error: OsError): void {
    this.#cancel(error);
    this.finish(error);
  }

  /** Fields that a request message may have; see `MethodBounds`. */
  get maxFields(): number {
    return this.#init.maxFields ?? Number.POSITIVE_INFINITY;
  }

  /** A check of request bytes that are forwarded unread: it throws what `read` would. */
  meter(): FrameMeter {
    return new FrameMeter(this.#init.maxReceiveBytes, this.#observer);
  }

  /** Starts reading request messages; a call is read once. */
  read<T>(decode: (payload: Uint8Array) => T): MessageQueue<T> {
    const { stream } = this;
    const maxBytes = this.#init.maxReceiveBytes;
    const onMessage = (bytes: number): void => this.#observer?.message(bytes);
    const queue = new MessageQueue<T>({ flow: stream, maxBytes, decode, onMessage });
    this.#requests ??= queue as unknown as MessageQueue<Uint8Array>;
    if (this.#cancelled !== undefined) queue.fail(this.#cancelled);
    stream.on("data", (chunk: Buffer) => {
      if (this.#finished) return;
      try {
        queue.push(chunk);
      } catch (err) {
        this.abort(OsError.from(err));
      }
    });
    stream.on("end", () => {
      this.#observer?.end();
      queue.end();
    });
    return queue;
  }

  sendHeader(): void {
    if (!this.stream.headersSent && !this.#finished && !this.stream.destroyed) this.respond(this.#headers());
  }

  #headers(): OutgoingHttpHeaders {
    const headers: OutgoingHttpHeaders = { ":status": 200, "content-type": contentType };
    if (this.#responseHeader !== undefined) addMetadata(headers, this.#responseHeader);
    return headers;
  }

  /** Sends prepared header fields; the status follows as trailers. */
  respond(headers: OutgoingHttpHeaders): void {
    this.stream.on("wantTrailers", () => this.#sendTrailers());
    this.stream.respond(headers, { waitForTrailers: true, sendDate: false } as { waitForTrailers: true });
  }

  async send(message: Uint8Array): Promise<void> {
    await this.write(message);
  }

  /** Like `send`, without a promise when there is room for more. */
  write(message: Uint8Array): Promise<void> | undefined {
    this.#checkSize(message);
    if (this.#cancelled !== undefined || this.#finished || this.stream.destroyed) {
      return Promise.reject(this.#cancelled ?? gone(this.method));
    }
    this.sendHeader();
    if (writeFrame(this.stream, message)) return undefined;
    if (this.#room === undefined) {
      this.#room = Promise.withResolvers<void>();
      this.stream.once("drain", () => this.#makeRoom());
    }
    return this.#room.promise;
  }

  /** Keeps the only response message until the status is known, so that interceptors can still refuse it. */
  setReply(message: Uint8Array): void {
    this.#checkSize(message);
    this.#reply = message;
  }

  /** Ends the call with a status; only the first call counts. */
  finish(error?: unknown): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#status = error;
    clearTimeout(this.#timer);
    this.#makeRoom();
    if (this.stream.destroyed || this.stream.closed) return;
    try {
      this.#sendStatus();
    } catch {
      // Node refused the fields; the caller must not wait for an answer that cannot be written.
      this.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  #sendStatus(): void {
    const { stream } = this;
    if (this.#status === undefined && this.#reply !== undefined) {
      if (!stream.headersSent) this.respond(this.#headers());
      stream.end(encodeFrame(this.#reply));
    } else if (stream.headersSent) {
      stream.end();
    } else {
      const headers = this.#headers();
      this.#addTrailers(headers);
      stream.respond(headers, { endStream: true, sendDate: false } as { endStream: true });
      this.#release();
    }
  }

  /** Forwards trailer fields as they came. */
  finishRaw(trailers: OutgoingHttpHeaders): void {
    this.#rawTrailers = trailers;
    this.finish();
  }

  #checkSize(message: Uint8Array): void {
    if (message.length <= this.#init.maxSendBytes) return;
    throw new OsError({
      kind: "resource-exhausted",
      code: "grpc/message-too-large",
      message: `Cannot send a message of ${String(message.length)} bytes: the limit is ${String(this.#init.maxSendBytes)}`,
    });
  }

  #sendTrailers(): void {
    if (this.stream.destroyed) return;
    const trailers: OutgoingHttpHeaders = {};
    this.#addTrailers(trailers);
    try {
      this.stream.sendTrailers(trailers);
    } catch {
      this.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      return;
    }
    this.#release();
  }

  #addTrailers(headers: OutgoingHttpHeaders): void {
    if (this.#rawTrailers !== undefined) {
      Object.assign(headers, this.#rawTrailers);
      return;
    }
    if (this.#responseTrailer !== undefined) addMetadata(headers, this.#responseTrailer);
    addStatus(headers, this.#status);
  }

  /** A caller that still sends after its answer is told to stop; what it sent already is dropped. */
  #release(): void {
    const { stream } = this;
    if (stream.readableEnded || stream.destroyed) return;
    stream.resume();
    setImmediate(() => {
      if (!stream.destroyed && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    });
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #expire(): void {
    this.#cancel(statusError("deadline-exceeded", `The deadline of ${this.method.path} passed`));
    this.finish(this.#cancelled);
  }

  #lost(): void {
    clearTimeout(this.#timer);
    if (!this.#finished) this.#cancel(gone(this.method));
    this.#makeRoom();
  }

  #cancel(error: OsError): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = error;
    this.#requests?.fail(error);
    this.#controller?.abort(error);
    this.#onCancel?.(error);
    this.#onCancel = undefined;
  }
}

function gone(method: MethodInfo): OsError {
  return statusError("cancelled", `The caller of ${method.path} went away`);
}
