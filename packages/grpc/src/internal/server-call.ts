import { createDeadlines, OsError, systemClock, type Deadline } from "@talos-ts/base";
import { errorCodes, Field, type Http2Stream, type StreamSink } from "@talos-ts/http2";
import type { RawServerCall, RequestObserver } from "../context.ts";
import { Metadata } from "../metadata.ts";
import type { MethodInfo } from "../method.ts";
import type { Peer } from "../peer.ts";
import { addStatus, statusError } from "../status.ts";
import { FrameMeter } from "./frame-meter.ts";
import { encodeFrame, writeFrame, writeParts } from "./frame.ts";
import { addMetadata, contentType, metadataOf, valuesOf } from "./headers.ts";
import { MessageQueue, type Flow } from "./message-queue.ts";

export interface ServerCallInit {
  readonly stream: Http2Stream;
  readonly method: MethodInfo;
  readonly peer: Peer;
  readonly authority: string;
  readonly fields: readonly Field[];
  readonly timeoutMs: number | undefined;
  readonly maxReceiveBytes: number;
  readonly maxSendBytes: number;
  /** `Infinity` where nothing bounds it. */
  readonly maxFields: number;
}

/** Receiver of the bytes of a request. */
export interface RequestConsumer {
  data(chunk: Buffer): void;
  end(): void;
}

/** Callers keep the time themselves: a server that notices the end of it a little later loses nothing. */
const deadlines = createDeadlines(systemClock, 100);

const okHeader: readonly Field[] = [new Field(":status", "200"), new Field("content-type", contentType)];

/**
 * One call on the server, from its headers to its status.
 *
 * Most calls never look at their signal, metadata or trailers, so those come into being when asked for.
 */
export class ServerCall implements RawServerCall, StreamSink {
  readonly method: MethodInfo;
  readonly peer: Peer;
  readonly authority: string;
  readonly deadlineMs: number | undefined;
  readonly #init: ServerCallInit;
  readonly #stream: Http2Stream;
  #metadata: Metadata | undefined;
  #responseHeader: Metadata | undefined;
  #responseTrailer: Metadata | undefined;
  #values: Map<symbol, unknown> | undefined;
  #controller: AbortController | undefined;
  #requests: MessageQueue<Uint8Array> | undefined;
  #consumer: RequestConsumer | undefined;
  #meter: FrameMeter | undefined;
  #cancelled: OsError | undefined;
  #deadline: Deadline | undefined;
  #reply: Uint8Array | undefined;
  #status: unknown;
  #rawTrailers: readonly Field[] | undefined;
  #finished = false;
  #room: PromiseWithResolvers<void> | undefined;
  #onDrain: (() => void) | undefined;
  #onCancel: ((error: OsError) => void) | undefined;
  #observer: RequestObserver | undefined;

  constructor(init: ServerCallInit) {
    this.#init = init;
    this.#stream = init.stream;
    this.method = init.method;
    this.peer = init.peer;
    this.authority = init.authority;
    this.deadlineMs = init.timeoutMs === undefined ? undefined : Date.now() + init.timeoutMs;
    if (init.timeoutMs !== undefined) this.#deadline = deadlines.start(init.timeoutMs, () => this.#expire());
    init.stream.sink = this;
  }

  /** Takes bytes of the request; what their consumer throws ends the call. */
  data(chunk: Buffer): void {
    if (this.#finished) return;
    try {
      this.#meter?.push(chunk);
      this.#consumer?.data(chunk);
    } catch (err) {
      this.abort(OsError.from(err));
    }
  }

  /** Takes the end of the request. */
  end(): void {
    if (this.#finished) return;
    this.#observer?.end();
    this.#consumer?.end();
  }

  drain(): void {
    this.#makeRoom();
    this.#onDrain?.();
  }

  /** The stream is over. */
  close(): void {
    this.#deadline?.done();
    if (!this.#finished) this.#cancel(gone(this.method));
    this.#makeRoom();
  }

  get metadata(): Metadata {
    return (this.#metadata ??= metadataOf(this.#init.fields));
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

  /** The header list of the request, as it came. */
  get fields(): readonly Field[] {
    return this.#init.fields;
  }

  valuesOf(key: string): readonly string[] {
    return valuesOf(this.#init.fields, key);
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
    return this.#init.maxFields;
  }

  /** Starts reading request messages; a call is read once. */
  read<T>(decode: (payload: Uint8Array) => T): MessageQueue<T> {
    const maxBytes = this.#init.maxReceiveBytes;
    const onMessage = (bytes: number): void => this.#observer?.message(bytes);
    const queue = new MessageQueue<T>({ flow: this.#stream, maxBytes, decode, onMessage });
    this.#requests ??= queue as unknown as MessageQueue<Uint8Array>;
    if (this.#cancelled !== undefined) queue.fail(this.#cancelled);
    this.#consume({ data: (chunk) => queue.push(chunk), end: () => queue.end() });
    return queue;
  }

  /** Lets the caller be held back while its request cannot be taken. */
  get flow(): Flow {
    return this.#stream;
  }

  /** Starts reading request bytes that are forwarded unread. Their length prefixes are checked on the way, as `read` does. */
  readRaw(consumer: RequestConsumer): void {
    this.#meter = new FrameMeter(this.#init.maxReceiveBytes, this.#observer);
    this.#consume(consumer);
  }

  #consume(consumer: RequestConsumer): void {
    this.#consumer = consumer;
    this.#stream.resume();
  }

  sendHeader(): void {
    if (!this.#stream.headersSent && !this.#finished) this.#stream.sendHeaders(this.#headers());
  }

  #headers(): Field[] {
    const fields = [...okHeader];
    if (this.#responseHeader !== undefined) addMetadata(fields, this.#responseHeader);
    return fields;
  }

  /** Sends a prepared header list. */
  respond(fields: readonly Field[]): void {
    this.#stream.sendHeaders(fields);
  }

  /** Sends bytes that are messages already; `onDrain` follows when this returns `false`. */
  writeRaw(chunk: Uint8Array): boolean {
    return this.#stream.write(chunk);
  }

  onDrain(callback: () => void): void {
    this.#onDrain = callback;
  }

  async send(message: Uint8Array): Promise<void> {
    await this.write(message);
  }

  /**
   * Like `send`, without a promise when there is room for more.
   *
   * @param tail rest of the message, of which the memory is the caller's again after the call
   */
  write(message: Uint8Array, tail?: Uint8Array): Promise<void> | undefined {
    this.#checkSize(message.length + (tail?.length ?? 0));
    if (this.#cancelled !== undefined || this.#finished || this.#stream.closed) {
      return Promise.reject(this.#cancelled ?? gone(this.method));
    }
    this.sendHeader();
    const hasRoom = tail === undefined ? writeFrame(this.#stream, message) : writeParts(this.#stream, message, tail);
    if (hasRoom) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** Keeps the only response message until the status is known, so that interceptors can still refuse it. */
  setReply(message: Uint8Array): void {
    this.#checkSize(message.length);
    this.#reply = message;
  }

  /** Ends the call with a status; only the first call counts. */
  finish(error?: unknown): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#status = error;
    this.#deadline?.done();
    this.#makeRoom();
    const stream = this.#stream;
    if (stream.closed) return;
    try {
      this.#sendStatus();
    } catch {
      // The caller must not wait for an answer that cannot be written.
      stream.reset(errorCodes.internalError);
      return;
    }
    // A caller that still sends after its answer is told to stop; what it sent already is dropped.
    stream.discardRest();
  }

  #sendStatus(): void {
    const stream = this.#stream;
    if (this.#status === undefined && this.#reply !== undefined) {
      const trailers = this.#trailers();
      if (!stream.headersSent) stream.sendHeaders(this.#headers());
      stream.end(encodeFrame(this.#reply), trailers);
    } else if (stream.headersSent) {
      stream.end(undefined, this.#trailers());
    } else {
      stream.sendHeaders([...this.#headers(), ...this.#trailers()], true);
    }
  }

  /** Forwards trailer fields as they came. */
  finishRaw(trailers: readonly Field[]): void {
    this.#rawTrailers = trailers;
    this.finish();
  }

  #checkSize(bytes: number): void {
    if (bytes <= this.#init.maxSendBytes) return;
    throw new OsError({
      kind: "resource-exhausted",
      code: "grpc/message-too-large",
      message: `Cannot send a message of ${String(bytes)} bytes: the limit is ${String(this.#init.maxSendBytes)}`,
    });
  }

  #trailers(): readonly Field[] {
    if (this.#rawTrailers !== undefined) return this.#rawTrailers;
    const fields: Field[] = [];
    if (this.#responseTrailer !== undefined) addMetadata(fields, this.#responseTrailer);
    addStatus(fields, this.#status);
    return fields;
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #expire(): void {
    this.#cancel(statusError("deadline-exceeded", `The deadline of ${this.method.path} passed`));
    this.finish(this.#cancelled);
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
