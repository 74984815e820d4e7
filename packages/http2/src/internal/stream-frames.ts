import { errorCodes, flags, maxUint31 } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import type { Field } from "../field.ts";
import type { OutBuffer } from "../frame/out-buffer.ts";
import { HpackDecoder } from "../hpack/decoder.ts";
import type { Http2Limits } from "../limits.ts";
import type { FloodGuard } from "./flood-guard.ts";
import { HeaderBlock, type HeaderList } from "./header-block.ts";
import { checkHeaderList, headerFragment } from "./header-list.ts";
import type { ReceiveWindow } from "./receive-window.ts";
import type { StreamState } from "./stream-state.ts";
import type { StreamTable } from "./stream-table.ts";

export interface StreamFramesOptions {
  readonly role: "client" | "server";
  readonly limits: Http2Limits;
  readonly now: () => number;
  readonly out: OutBuffer;
  readonly guard: FloodGuard;
  readonly streams: StreamTable;
  readonly window: ReceiveWindow;
  /** False when new streams are not looked at any more, because the last one was named in GOAWAY. */
  readonly accepting: () => boolean;
  readonly onRequest: (stream: StreamState, fields: readonly Field[]) => void;
  readonly onRoom: () => void;
}

/** The frames of streams: HEADERS, CONTINUATION, DATA, RST_STREAM, WINDOW_UPDATE of a stream, PRIORITY. */
export class StreamFrames {
  /** Streams that the peer has reset. */
  resets = 0;
  /** Since when a header block waits for its end. */
  blockSinceMs: number | undefined;
  readonly #options: StreamFramesOptions;
  readonly #block: HeaderBlock;
  /** The stream of the DATA frame under way; `undefined` when it is dropped. */
  #data: StreamState | undefined;

  constructor(options: StreamFramesOptions) {
    this.#options = options;
    this.#block = new HeaderBlock(new HpackDecoder(options.limits.headerTableBytes), options.limits);
  }

  /** Stream of the header block under way; `0` when there is none. */
  get blockStreamId(): number {
    return this.#block.streamId;
  }

  onHeaders(frameFlags: number, streamId: number, payload: Buffer): void {
    if (streamId === 0) throw new Http2Error(errorCodes.protocolError, "HEADERS on stream 0");
    const found = headerFragment(payload, (frameFlags & flags.padded) !== 0, (frameFlags & flags.priority) !== 0);
    if ("problem" in found) throw new Http2Error(found.problem, "The padding of a HEADERS frame exceeds its payload");
    this.#block.begin(streamId, (frameFlags & flags.endStream) !== 0, found.dependsOn === streamId);
    this.#onFragment(found.fragment, frameFlags);
  }

  onContinuation(frameFlags: number, payload: Buffer): void {
    if (!this.#block.open) throw new Http2Error(errorCodes.protocolError, "CONTINUATION without HEADERS");
    this.#onFragment(payload, frameFlags);
  }

  onDataStart(streamId: number, length: number): void {
    const { streams, window, role } = this.#options;
    if (streams.isIdle(streamId)) throw idle("DATA", streamId);
    window.take(length);
    this.#data = undefined;
    const stream = streams.get(streamId);
    if (stream === undefined) {
      this.#onClosedStream(streamId, true);
    } else if (stream.halfClosedRemote || (role === "client" && !stream.responded)) {
      this.#provoked(stream, stream.halfClosedRemote ? errorCodes.streamClosed : errorCodes.protocolError);
    } else if (length > stream.receiveWindow) {
      this.#provoked(stream, errorCodes.flowControlError);
    } else {
      stream.receiveWindow -= length;
      stream.frameBytes = length;
      this.#data = stream;
    }
    window.refill();
  }

  onDataPart(chunk: Buffer): void {
    const stream = this.#data;
    if (stream !== undefined && !stream.closed) stream.receive(chunk);
  }

  onDataEnd(endStream: boolean): void {
    const stream = this.#data;
    this.#data = undefined;
    if (stream === undefined || stream.closed) return;
    const hadContent = stream.receivePadding();
    if (endStream) {
      if (!stream.receiveEnd()) this.#provoked(stream, errorCodes.protocolError);
    } else if (!hadContent) this.#options.guard.control(1);
  }

  onReset(streamId: number, payload: Buffer): void {
    const { streams, guard, role } = this.#options;
    if (payload.length !== 4) throw new Http2Error(errorCodes.frameSizeError, "RST_STREAM has a wrong length");
    if (streams.isIdle(streamId)) throw idle("RST_STREAM", streamId);
    const stream = streams.get(streamId);
    if (stream === undefined) {
      guard.control(1);
      return;
    }
    if (role === "server") guard.reset();
    this.resets += 1;
    stream.receiveReset(payload.readUInt32BE(0));
  }

  /** @param bytes the increment of the window */
  onWindowUpdate(streamId: number, bytes: number): void {
    const { streams } = this.#options;
    if (streams.isIdle(streamId)) throw idle("WINDOW_UPDATE", streamId);
    const stream = streams.get(streamId);
    if (stream === undefined) return;
    if (bytes === 0) this.#provoked(stream, errorCodes.protocolError);
    else if (!stream.receiveWindowUpdate(bytes)) this.#provoked(stream, errorCodes.flowControlError);
    else this.#options.onRoom();
  }

  /** Priorities are deprecated (RFC 9113 section 5.3): only their form is checked. */
  onPriority(streamId: number, payload: Buffer): void {
    if (streamId === 0) throw new Http2Error(errorCodes.protocolError, "PRIORITY on stream 0");
    this.#options.guard.control(1);
    if (payload.length === 5 && (payload.readUInt32BE(0) & maxUint31) !== streamId) return;
    const code = payload.length === 5 ? errorCodes.protocolError : errorCodes.frameSizeError;
    const stream = this.#options.streams.get(streamId);
    if (stream === undefined) throw new Http2Error(code, `PRIORITY for stream ${String(streamId)} is malformed`);
    this.#provoked(stream, code);
  }

  #onFragment(fragment: Buffer, frameFlags: number): void {
    const last = (frameFlags & flags.endHeaders) !== 0;
    this.#block.add(fragment, last);
    if (!last) {
      this.blockSinceMs ??= this.#options.now();
      return;
    }
    this.blockSinceMs = undefined;
    const { streamId, endStream, selfDependent } = this.#block;
    const list = this.#block.decode();
    const { streams, role } = this.#options;
    const stream = streams.get(streamId);
    if (stream !== undefined) this.#onLaterHeaders(stream, list, endStream, selfDependent);
    else if (role === "server") this.#onRequest(streamId, list, endStream, selfDependent);
    else if (streams.isIdle(streamId)) throw idle("HEADERS", streamId);
  }

  #onRequest(streamId: number, list: HeaderList, endStream: boolean, selfDependent: boolean): void {
    const { streams, guard, limits, accepting } = this.#options;
    if (streamId % 2 === 0) {
      throw new Http2Error(errorCodes.protocolError, "A client opened a stream with an even number");
    }
    if (streamId <= streams.lastPeerId) {
      this.#onClosedStream(streamId, false);
      return;
    }
    if (!accepting()) {
      guard.control(1);
      return;
    }
    streams.lastPeerId = streamId;
    const facts = checkHeaderList(list.fields, "request");
    if (streams.size >= limits.maxConcurrentStreams) this.#refuse(streamId, errorCodes.refusedStream);
    else if (list.tooLarge) this.#refuse(streamId, errorCodes.enhanceYourCalm);
    else if (facts.malformed || selfDependent) this.#refuse(streamId, errorCodes.protocolError);
    else {
      guard.earn();
      const stream = streams.accept(streamId);
      stream.expectLength(facts.contentLength);
      if (endStream && !stream.receiveEnd()) this.#provoked(stream, errorCodes.protocolError);
      else this.#options.onRequest(stream, list.fields);
    }
  }

  #onLaterHeaders(stream: StreamState, list: HeaderList, endStream: boolean, selfDependent: boolean): void {
    if (stream.halfClosedRemote) {
      this.#provoked(stream, errorCodes.streamClosed);
      return;
    }
    const isResponse = this.#options.role === "client" && !stream.responded;
    const facts = checkHeaderList(list.fields, isResponse ? "response" : "trailers");
    if (list.tooLarge) this.#provoked(stream, errorCodes.enhanceYourCalm);
    else if (facts.malformed || selfDependent || (!isResponse && !endStream) || (facts.informational && endStream)) {
      this.#provoked(stream, errorCodes.protocolError);
    } else if (facts.informational) this.#options.guard.control(1);
    else if (!isResponse) {
      if (!stream.receiveEnd(list.fields)) this.#provoked(stream, errorCodes.protocolError);
    } else {
      stream.responded = true;
      stream.expectLength(facts.contentLength);
      stream.sink.headers?.(list.fields);
      if (endStream && !stream.closed && !stream.receiveEnd()) this.#provoked(stream, errorCodes.protocolError);
    }
  }

  /** A frame for a stream that is closed: dropped when it crossed a reset of this side, else an error. */
  #onClosedStream(streamId: number, isData: boolean): void {
    const { streams, guard, out, role } = this.#options;
    const ending = streams.endingOf(streamId);
    if (ending === "reset-here" || role === "client") {
      guard.control(1);
    } else if (isData) {
      guard.reset();
      out.rstStream(streamId, errorCodes.streamClosed);
    } else if (ending === undefined) {
      throw new Http2Error(errorCodes.protocolError, `Stream ${String(streamId)} is lower than those before`);
    } else {
      throw new Http2Error(errorCodes.streamClosed, `HEADERS for closed stream ${String(streamId)}`);
    }
  }

  /** Resets a stream because of what the peer sent; doing so often ends the connection. */
  #provoked(stream: StreamState, code: number): void {
    if (this.#options.role === "server") this.#options.guard.reset();
    stream.reset(code);
  }

  /** Resets a stream that never came to be. */
  #refuse(streamId: number, code: number): void {
    this.#options.guard.reset();
    this.#options.out.rstStream(streamId, code);
    this.#options.streams.refuse(streamId);
  }
}

function idle(frame: string, streamId: number): Http2Error {
  return new Http2Error(errorCodes.protocolError, `${frame} for stream ${String(streamId)}, which is idle`);
}
