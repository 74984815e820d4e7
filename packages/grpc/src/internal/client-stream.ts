import { OsError } from "@talos-ts/base";
import { errorCodes, Field, fieldValue, type Http2Stream, type StreamSink as Http2StreamSink } from "@talos-ts/http2";
import type { Channel } from "../channel.ts";
import type { Metadata } from "../metadata.ts";
import { errorOfTrailers, statusError } from "../status.ts";
import { nameOf, type Connection } from "./endpoint.ts";
import { addMetadata, contentType } from "./headers.ts";
import { encodeTimeout, maxTimerMs } from "./timeout.ts";
import { kindOfHttpStatus, kindOfReset } from "./wire-errors.ts";

/** Callbacks of a stream; none is called before the constructor returns or after `end`. */
export interface StreamSink {
  /** See `StreamSink.borrows` of http2. @default {false} */
  readonly borrows?: boolean;
  header(fields: readonly Field[]): void;
  /** Bytes as they came; throwing ends the call with what was thrown. */
  data(chunk: Buffer): void;
  /** There is room again after `write` returned `false`. */
  drain(): void;
  /** `trailers` is empty when the server sent no status. */
  end(error: OsError | undefined, trailers: readonly Field[]): void;
}

export interface ClientStreamInit {
  readonly channel: Channel;
  readonly path: string;
  readonly metadata: Metadata | undefined;
  /** Fields that are sent as they are, behind those of the protocol. */
  readonly fields?: readonly Field[] | undefined;
  readonly timeoutMs: number | undefined;
  /** The creator cancels the call when its time is over, so that no timer is needed here. @default {false} */
  readonly endedByCreator?: boolean;
  readonly signal: AbortSignal | undefined;
  readonly waitForReady: boolean;
  readonly sink: StreamSink;
}

/** A call that the server refused unseen is sent again this often. */
const maxReplays = 3;

/**
 * One call on the client, in bytes: from the choice of a connection to the status. The connection calls `headers`, `data`,
 * `trailers`, `end`, `drain` and `close`.
 */
export class ClientStream implements Http2StreamSink {
  readonly borrows: boolean;
  readonly #init: ClientStreamInit;
  readonly #deadlineMs: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #stream: Http2Stream | undefined;
  #connection: Connection | undefined;
  #waiting: AbortController | undefined;
  #pending: Buffer[] = [];
  #replay: Buffer | undefined;
  #replays = 0;
  #written = false;
  #ended = false;
  #paused = false;
  #finished = false;
  #headed = false;
  #trailers: readonly Field[] | undefined;

  constructor(init: ClientStreamInit) {
    this.#init = init;
    this.borrows = init.sink.borrows === true;
    const { signal, timeoutMs, endedByCreator = false } = init;
    if (timeoutMs !== undefined) {
      this.#deadlineMs = performance.now() + timeoutMs;
      if (timeoutMs <= maxTimerMs && !endedByCreator)
        this.#timer = setTimeout(() => this.#expire(), Math.max(0, timeoutMs));
    }
    if (signal?.aborted === true) queueMicrotask(this.#abort);
    else {
      signal?.addEventListener("abort", this.#abort, { once: true });
      this.#start();
    }
  }

  /** Whether there is room for more; otherwise `drain` follows. Bytes are kept until the connection is there. */
  write(bytes: Buffer): boolean {
    this.#written = true;
    if (this.#finished) return true;
    if (this.#stream !== undefined) return this.#stream.write(bytes);
    this.#pending.push(bytes);
    return false;
  }

  /** No more bytes after these. */
  closeSend(bytes?: Buffer): void {
    if (this.#finished || this.#ended) return;
    this.#ended = true;
    if (!this.#written) this.#replay = bytes ?? Buffer.alloc(0);
    if (this.#stream !== undefined) this.#stream.end(bytes);
    else if (bytes !== undefined) this.#pending.push(bytes);
  }

  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream?.resume();
  }

  cancel(error: OsError): void {
    this.#finish(error);
  }

  #start(): void {
    const { channel, waitForReady } = this.#init;
    const ready = channel.ready();
    if (ready !== undefined) {
      this.#open(ready);
      return;
    }
    this.#waiting = new AbortController();
    channel.acquire(waitForReady, this.#waiting.signal).then(
      (ready) => this.#open(ready),
      (err: unknown) => this.#finish(OsError.from(err, "unavailable")),
    );
  }

  #open(connection: Connection): void {
    if (this.#finished) return;
    connection.use();
    let stream: Http2Stream;
    try {
      stream = connection.http2.request(this.#requestFields(connection), this);
    } catch (err) {
      // The connection closed between choice and use; the channel notices in its own time.
      queueMicrotask(() => this.#refused(statusError("unavailable", `Lost ${nameOf(connection.target)}`, {}, err)));
      return;
    }
    this.#stream = stream;
    this.#connection = connection;
    this.#pollIfAlone();
    if (this.#paused) stream.pause();
    this.#flush(stream);
  }

  #flush(stream: Http2Stream): void {
    const pending = this.#pending;
    this.#pending = [];
    const last = this.#ended ? pending.pop() : undefined;
    let room = true;
    for (const bytes of pending) room = stream.write(bytes);
    if (this.#ended) stream.end(last);
    else if (pending.length > 0 && room) this.#init.sink.drain();
  }

  #requestFields({ scheme, authority }: Connection): Field[] {
    const { channel, path, metadata, fields: more } = this.#init;
    const fields = [postField, scheme, pathField(path), authority];
    for (const field of callFields(channel.userAgent)) fields.push(field);
    if (this.#deadlineMs !== undefined) fields.push(timeoutField(this.#deadlineMs - performance.now()));
    if (metadata !== undefined) addMetadata(fields, metadata);
    if (more !== undefined) for (const field of more) fields.push(field);
    return fields;
  }

  headers(fields: readonly Field[]): void {
    if (this.#finished) return;
    this.#headed = true;
    if (fieldValue(fields, "grpc-status") !== undefined) {
      this.#trailers = fields;
      return;
    }
    const status = fieldValue(fields, ":status");
    const type = fieldValue(fields, "content-type");
    if (status !== "200" || type?.startsWith(contentType) !== true) {
      const found = `HTTP status ${String(status)}, content type "${String(type)}"`;
      const kind = status === "200" ? "unknown" : kindOfHttpStatus(Number(status));
      this.#finish(statusError(kind, `Expected a gRPC answer from ${this.#init.path}, got ${found}`));
      return;
    }
    const encoding = fieldValue(fields, "grpc-encoding") ?? "identity";
    if (encoding !== "identity") {
      this.#finish(statusError("unimplemented", `Cannot read an answer with encoding "${encoding}"`));
      return;
    }
    this.#init.sink.header(fields);
  }

  data(chunk: Buffer): void {
    if (this.#finished) return;
    try {
      this.#init.sink.data(chunk);
    } catch (err) {
      this.#finish(OsError.from(err));
    }
  }

  trailers(fields: readonly Field[]): void {
    this.#trailers = fields;
  }

  /** Takes the end of the response. */
  end(): void {
    if (this.#trailers === undefined) this.close(errorCodes.noError);
    else this.#complete();
  }

  drain(): void {
    if (!this.#finished) this.#init.sink.drain();
  }

  #complete(): void {
    const trailers = this.#trailers ?? [];
    if (fieldValue(trailers, "grpc-status") === undefined) {
      this.#finish(statusError("unknown", `The server ended ${this.#init.path} without a status`));
    } else {
      this.#finish(errorOfTrailers(trailers));
    }
  }

  /** The stream is over. */
  close(code: number): void {
    if (this.#finished || this.#stream === undefined) return;
    if (this.#trailers !== undefined) {
      this.#complete();
      return;
    }
    const connection = this.#connection as Connection;
    const { target, http2 } = connection;
    if (http2.closed) {
      const cause = connection.lastError ?? http2.error;
      const why = cause === undefined ? "" : `: ${cause.message}`;
      const error = statusError("unavailable", `Lost the connection to ${nameOf(target)}${why}`);
      if (code === errorCodes.refusedStream) this.#refused(error);
      else this.#finish(error);
    } else if (code === errorCodes.refusedStream) {
      this.#refused(statusError("unavailable", `${nameOf(target)} refused ${this.#init.path}`));
    } else if (code === errorCodes.cancel && this.#isLate()) {
      // The server keeps the same deadline and may be the first to act on it.
      this.#expire();
    } else {
      const how = code === errorCodes.noError ? "ended" : `reset (code ${String(code)})`;
      this.#finish(statusError(kindOfReset(code), `The server ${how} ${this.#init.path} without a status`));
    }
  }

  /** The server has not seen the call: it is sent again where that is possible. */
  #refused(error: OsError): void {
    if (this.#finished) return;
    if (this.#headed || this.#replays >= maxReplays || (this.#written && this.#stream !== undefined)) {
      this.#finish(error);
      return;
    }
    this.#replays += 1;
    if (this.#stream !== undefined && this.#replay !== undefined) this.#pending = [this.#replay];
    this.#stream = undefined;
    // Lets the channel take notice of the connection's end before it is asked again.
    setImmediate(() => {
      if (!this.#finished) this.#start();
    });
  }

  #isLate(): boolean {
    return this.#deadlineMs !== undefined && performance.now() >= this.#deadlineMs;
  }

  #expire(): void {
    this.#finish(
      statusError("deadline-exceeded", `${this.#init.path} took longer than ${String(this.#init.timeoutMs)} ms`),
    );
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#init.signal?.reason;
    const kind = reason instanceof Error && reason.name === "TimeoutError" ? "deadline-exceeded" : "cancelled";
    const error =
      reason instanceof OsError ? reason : statusError(kind, `${this.#init.path} was cancelled`, {}, reason);
    this.#finish(error);
  };

  #finish(error: OsError | undefined): void {
    if (this.#finished) return;
    this.#finished = true;
    clearTimeout(this.#timer);
    this.#init.signal?.removeEventListener("abort", this.#abort);
    this.#waiting?.abort();
    this.#pending = [];
    this.#replay = undefined;
    const stream = this.#stream;
    if (stream !== undefined && !stream.closed) {
      const done = this.#trailers !== undefined && stream.remoteEnded;
      if (!done) stream.reset(errorCodes.cancel);
      else if (!stream.localEnded) stream.reset(errorCodes.noError);
    }
    this.#pollIfAlone();
    this.#init.sink.end(error, this.#trailers ?? []);
  }

  #pollIfAlone(): void {
    const { polling } = this.#init.channel;
    if (polling !== undefined && (this.#connection?.http2.openStreams ?? 0) <= 1) polling.extend();
  }
}

const postField = new Field(":method", "POST");
const fixedFields = [
  new Field("te", "trailers"),
  new Field("content-type", contentType),
  new Field("grpc-accept-encoding", "identity"),
];
const pathFields = new Map<string, Field>();

/** Paths are few and come with every call; those of a caller that invents them are not kept. */
function pathField(path: string): Field {
  const known = pathFields.get(path);
  if (known !== undefined) return known;
  const field = new Field(":path", path);
  if (pathFields.size < maxPathFields && path.length <= maxKeptPathLength) pathFields.set(path, field);
  return field;
}

let lastTimeout = new Field("grpc-timeout", "");

/** The time limits of many calls are the same when they are sent, in whole milliseconds. */
function timeoutField(ms: number): Field {
  const value = encodeTimeout(ms);
  if (value !== lastTimeout.value) lastTimeout = new Field("grpc-timeout", value);
  return lastTimeout;
}

const maxPathFields = 1024;
const maxKeptPathLength = 256;

const fieldsByUserAgent = new Map<string, readonly Field[]>();

/** The fields that every call of a channel has. */
function callFields(userAgent: string): readonly Field[] {
  let fields = fieldsByUserAgent.get(userAgent);
  if (fields === undefined) {
    fields = [...fixedFields, new Field("user-agent", userAgent)];
    fieldsByUserAgent.set(userAgent, fields);
  }
  return fields;
}
