import { constants, type ClientHttp2Stream, type OutgoingHttpHeaders } from "node:http2";
import { addAbortSignal } from "node:stream";
import { OsError } from "@talos-ts/base";
import type { Channel } from "../channel.ts";
import type { Metadata } from "../metadata.ts";
import { errorOfTrailers, statusError } from "../status.ts";
import { isRefused, nameOf, type Connection } from "./endpoint.ts";
import { addMetadata, contentType, rawField } from "./headers.ts";
import { encodeTimeout, maxTimerMs } from "./timeout.ts";
import { kindOfHttpStatus, kindOfReset } from "./wire-errors.ts";

/** Callbacks of a stream; none is called before the constructor returns or after `end`. */
export interface StreamSink {
  header(rawHeaders: readonly string[]): void;
  /** Bytes as they came; throwing ends the call with what was thrown. */
  data(chunk: Buffer): void;
  /** There is room again after `write` returned `false`. */
  drain(): void;
  end(error: OsError | undefined, rawTrailers: readonly string[]): void;
}

export interface ClientStreamInit {
  readonly channel: Channel;
  readonly path: string;
  readonly metadata: Metadata | undefined;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly waitForReady: boolean;
  readonly sink: StreamSink;
}

/** A call that the server refused unseen is sent again this often. */
const maxReplays = 3;

/** One call on the client, in bytes: from the choice of a connection to the status. */
export class ClientStream {
  readonly #init: ClientStreamInit;
  readonly #deadlineMs: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #stream: ClientHttp2Stream | undefined;
  #connection: Connection | undefined;
  #waiting: AbortController | undefined;
  #pending: Buffer[] = [];
  #replay: Buffer | undefined;
  #replays = 0;
  #written = false;
  #ended = false;
  #paused = false;
  #finished = false;
  #headers: readonly string[] | undefined;
  #trailers: readonly string[] | undefined;

  constructor(init: ClientStreamInit) {
    this.#init = init;
    const { signal, timeoutMs } = init;
    if (timeoutMs !== undefined) {
      this.#deadlineMs = performance.now() + timeoutMs;
      if (timeoutMs <= maxTimerMs) this.#timer = setTimeout(() => this.#expire(), Math.max(0, timeoutMs));
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
  end(bytes?: Buffer): void {
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
    let stream: ClientHttp2Stream;
    try {
      stream = connection.session.request(this.#requestHeaders());
    } catch (err) {
      // The session closed between choice and use; the channel notices in its own time.
      queueMicrotask(() => this.#refused(statusError("unavailable", `Lost ${nameOf(connection.target)}`, {}, err)));
      return;
    }
    this.#stream = stream;
    this.#connection = connection;
    connection.openCalls += 1;
    stream.on("response", (headers, _flags, rawHeaders) => this.#onHeader(headers[":status"], rawHeaders));
    stream.on("trailers", (_headers, _flags, rawHeaders) => {
      this.#trailers = rawHeaders;
    });
    stream.on("data", (chunk: Buffer) => this.#onData(chunk));
    stream.on("end", () => {
      if (this.#trailers !== undefined) this.#complete();
      else setImmediate(() => this.#onClose(stream));
    });
    stream.on("error", (err: Error) => {
      if (connection.lost) connection.lastError ??= err;
    });
    stream.on("close", () => {
      connection.openCalls -= 1;
      this.#onClose(stream);
    });
    stream.on("drain", () => {
      if (!this.#finished) this.#init.sink.drain();
    });
    if (this.#paused) stream.pause();
    this.#flush(stream);
  }

  #flush(stream: ClientHttp2Stream): void {
    const pending = this.#pending;
    this.#pending = [];
    const last = this.#ended ? pending.pop() : undefined;
    let room = true;
    for (const bytes of pending) room = stream.write(bytes);
    if (this.#ended) stream.end(last);
    else if (pending.length > 0 && room) this.#init.sink.drain();
  }

  #requestHeaders(): OutgoingHttpHeaders {
    const { channel, path, metadata } = this.#init;
    const headers: OutgoingHttpHeaders = {
      ":method": "POST",
      ":path": path,
      te: "trailers",
      "content-type": contentType,
      "user-agent": channel.userAgent,
      "grpc-accept-encoding": "identity",
    };
    if (this.#deadlineMs !== undefined) headers["grpc-timeout"] = encodeTimeout(this.#deadlineMs - performance.now());
    if (metadata !== undefined) addMetadata(headers, metadata);
    return headers;
  }

  #onHeader(status: number | undefined, rawHeaders: readonly string[]): void {
    if (this.#finished) return;
    this.#headers = rawHeaders;
    if (rawField(rawHeaders, "grpc-status") !== undefined) {
      this.#trailers = rawHeaders;
      return;
    }
    const type = rawField(rawHeaders, "content-type");
    if (status !== 200 || type?.startsWith(contentType) !== true) {
      const found = `HTTP status ${String(status)}, content type "${String(type)}"`;
      const kind = status === 200 ? "unknown" : kindOfHttpStatus(status ?? 0);
      this.#finish(statusError(kind, `Expected a gRPC answer from ${this.#init.path}, got ${found}`));
      return;
    }
    const encoding = rawField(rawHeaders, "grpc-encoding") ?? "identity";
    if (encoding !== "identity") {
      this.#finish(statusError("unimplemented", `Cannot read an answer with encoding "${encoding}"`));
      return;
    }
    this.#init.sink.header(rawHeaders);
  }

  #onData(chunk: Buffer): void {
    if (this.#finished) return;
    try {
      this.#init.sink.data(chunk);
    } catch (err) {
      this.#finish(OsError.from(err));
    }
  }

  #complete(): void {
    const trailers = this.#trailers ?? [];
    if (rawField(trailers, "grpc-status") === undefined) {
      this.#finish(statusError("unknown", `The server ended ${this.#init.path} without a status`));
    } else {
      this.#finish(errorOfTrailers(trailers));
    }
  }

  #onClose(stream: ClientHttp2Stream): void {
    if (this.#finished || stream !== this.#stream) return;
    if (this.#trailers !== undefined) {
      this.#complete();
      return;
    }
    const connection = this.#connection as Connection;
    if (connection.lost || connection.session.destroyed) {
      const why = connection.lastError === undefined ? "" : `: ${connection.lastError.message}`;
      const error = statusError("unavailable", `Lost the connection to ${nameOf(connection.target)}${why}`);
      if (stream.id === undefined || isRefused(stream.rstCode)) this.#refused(error);
      else this.#finish(error);
    } else if (isRefused(stream.rstCode)) {
      this.#refused(statusError("unavailable", `${nameOf(connection.target)} refused ${this.#init.path}`));
    } else if (stream.rstCode === constants.NGHTTP2_CANCEL && this.#isLate()) {
      // The server keeps the same deadline and may be the first to act on it.
      this.#expire();
    } else {
      const how = stream.rstCode === 0 ? "ended" : `reset (code ${String(stream.rstCode)})`;
      this.#finish(statusError(kindOfReset(stream.rstCode), `The server ${how} ${this.#init.path} without a status`));
    }
  }

  /** The server has not seen the call: it is sent again where that is possible. */
  #refused(error: OsError): void {
    if (this.#finished) return;
    if (this.#headers !== undefined || this.#replays >= maxReplays || (this.#written && this.#stream !== undefined)) {
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
    if (stream !== undefined && !stream.destroyed) {
      stream.resume();
      const done = this.#trailers !== undefined && stream.readableEnded;
      if (!done && !stream.writableEnded) resetAtOnce(stream);
      else if (!done) stream.close(constants.NGHTTP2_CANCEL);
      else if (!stream.writableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    }
    this.#init.sink.end(error, this.#trailers ?? []);
  }
}

/**
 * Node's close() ends an open request properly before it resets, and a cancelled upload would look complete to the server; only a
 * signal makes it reset at once. One that has been aborted already costs the calls that go well nothing.
 */
function resetAtOnce(stream: ClientHttp2Stream): void {
  addAbortSignal(AbortSignal.abort(), stream);
}
