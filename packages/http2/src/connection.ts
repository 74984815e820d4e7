import {
  defaultMaxFrameBytes,
  defaultWindowBytes,
  errorCodes,
  flags,
  frameTypes,
  maxUint31,
  preface,
  settingIds,
} from "./constants.ts";
import { errorName, Http2Error } from "./errors.ts";
import { FrameParser, type FrameSink } from "./frame/frame-parser.ts";
import { OutBuffer, writeFrameHeader } from "./frame/out-buffer.ts";
import type { Field } from "./field.ts";
import { HpackDecoder } from "./hpack/decoder.ts";
import { HpackEncoder } from "./hpack/encoder.ts";
import { ControlFrames } from "./internal/control-frames.ts";
import { FloodGuard } from "./internal/flood-guard.ts";
import { HeaderBlock, type HeaderList } from "./internal/header-block.ts";
import { checkHeaderList, headerFragment } from "./internal/header-list.ts";
import { initialPeerSettings } from "./internal/peer-settings.ts";
import { RecentlyClosed, type Ending } from "./internal/recently-closed.ts";
import { SendQueue } from "./internal/send-queue.ts";
import { StreamState, type StreamHost } from "./internal/stream-state.ts";
import { defaultHttp2Limits, type Http2Limits } from "./limits.ts";
import type { Http2Stream, StreamSink } from "./stream.ts";

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

/**
 * One HTTP/2 connection (RFC 9113) without its socket: bytes in through `receive`, bytes out through `takeOutput`, time through
 * `tick`.
 *
 * A peer that breaks the protocol or exceeds a limit costs this connection and nothing else.
 */
export class Http2Connection {
  readonly role: "client" | "server";
  readonly limits: Http2Limits;
  readonly #events: ConnectionEvents;
  readonly #now: () => number;
  readonly #out: OutBuffer;
  readonly #parser: FrameParser;
  readonly #encoder = new HpackEncoder();
  readonly #block: HeaderBlock;
  readonly #guard: FloodGuard;
  readonly #control: ControlFrames;
  readonly #queue: SendQueue;
  readonly #streams = new Map<number, StreamState>();
  readonly #closedStreams = new RecentlyClosed();
  readonly #waiting = new Map<StreamState, readonly Field[]>();
  readonly #peer = initialPeerSettings();
  readonly #host: StreamHost;
  #data: StreamState | undefined;
  #receiveWindow = defaultWindowBytes;
  #consumedBytes = 0;
  #bufferedBytes = 0;
  #resetsReceived = 0;
  #nextStreamId = 1;
  #lastPeerStreamId = 0;
  #draining: "no" | "announced" | "final" = "no";
  #peerDraining = false;
  #closed = false;
  #error: Error | undefined;
  #outputPending = false;
  #readySinceMs: number;
  #blockSinceMs: number | undefined;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    const { role, limits, now = () => performance.now() } = options;
    this.role = role;
    this.limits = { ...defaultHttp2Limits, ...limits };
    this.#events = events;
    this.#now = now;
    this.#out = new OutBuffer(options.referenceFrom);
    this.#block = new HeaderBlock(new HpackDecoder(this.limits.headerTableBytes), this.limits);
    this.#guard = new FloodGuard(this.limits, now);
    this.#queue = new SendQueue(this.#out, this.limits.maxSendQueueBytes);
    this.#host = this.#createHost();
    this.#control = new ControlFrames({
      role,
      out: this.#out,
      guard: this.#guard,
      peer: this.#peer,
      onSettings: (windowDelta, first) => this.#onSettings(windowDelta, first),
      onGoaway: (code, lastStreamId) => this.#onGoaway(code, lastStreamId),
    });
    const expectPreface = role === "server";
    this.#parser = new FrameParser(this.#frameSink(), { maxFrameBytes: defaultMaxFrameBytes, expectPreface });
    this.#readySinceMs = now();
    this.#greet();
  }

  /** True when the connection takes no more requests: closing, closed, or told so by the peer. */
  get closing(): boolean {
    return this.#closed || this.#peerDraining || this.#draining !== "no";
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Why the connection ended; `undefined` while it lives and when it ended in order. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Streams that the peer has reset so far. */
  get resetsReceived(): number {
    return this.#resetsReceived;
  }

  /** Streams that are open or wait for their turn. */
  get openStreams(): number {
    return this.#streams.size + this.#waiting.size;
  }

  get flow(): FlowState {
    return {
      sendWindow: this.#queue.window,
      receiveWindow: this.#receiveWindow + this.#consumedBytes,
      bufferedBytes: this.#bufferedBytes,
      queuedBytes: this.#queue.queuedBytes,
    };
  }

  /** Takes bytes from the transport. They may be kept: the transport must not reuse the buffer. */
  receive(chunk: Buffer): void {
    if (this.#closed) return;
    try {
      this.#parser.push(chunk);
    } catch (err) {
      if (err instanceof Http2Error) this.destroy(err.errorCode, err);
      else this.destroy(errorCodes.internalError, err as Error);
    }
    this.#announceOutput();
  }

  /** What waits to be written, in order. */
  takeOutput(): Buffer[] {
    this.#outputPending = false;
    const output = this.#out.take();
    if (!this.#closed && !this.#queue.blocked) this.pump();
    return output;
  }

  /** Tells that the transport takes no more for now; `false` lets waiting streams go on. */
  setBlocked(blocked: boolean): void {
    this.#queue.blocked = blocked;
    if (!blocked) this.pump();
  }

  /** Sends what waits on streams, as far as windows and transport allow. */
  pump(): void {
    this.#queue.pump();
    this.#announceOutput();
  }

  /** Client: starts a request; it waits when the peer allows no more streams at once. */
  request(fields: readonly Field[], sink: StreamSink, endStream = false): Http2Stream {
    if (this.closing || this.#nextStreamId > maxUint31) {
      throw new Http2Error(errorCodes.refusedStream, "The connection takes no more requests");
    }
    const stream = new StreamState(this.#host, 0, 0, this.limits.streamWindowBytes, false);
    stream.sink = sink;
    if (endStream) stream.end();
    if (this.#streams.size < this.#peer.maxConcurrentStreams && this.#waiting.size === 0) this.#open(stream, fields);
    else this.#waiting.set(stream, fields);
    this.#announceOutput();
    return stream;
  }

  /** Sends a PING; `answered` is called with its acknowledgement. */
  ping(answered: () => void): void {
    if (this.#closed) return;
    this.#control.ping(answered);
    this.#announceOutput();
  }

  /**
   * Ends the connection when its streams have. A server announces it first and names the last stream it takes one round trip later,
   * so that requests under way are served (RFC 9113 section 6.8).
   */
  close(): void {
    if (this.#closed || this.#draining !== "no") return;
    this.#draining = "announced";
    if (this.role === "client") {
      this.#draining = "final";
      this.#out.goaway(0, errorCodes.noError);
      this.#endIfDrained();
    } else {
      this.#out.goaway(maxUint31, errorCodes.noError);
      this.#control.ping(() => {
        if (this.#closed) return;
        this.#draining = "final";
        this.#out.goaway(this.#lastPeerStreamId, errorCodes.noError);
        this.#endIfDrained();
        this.#announceOutput();
      });
    }
    this.#announceOutput();
  }

  /** Ends the connection and every stream on it at once. */
  destroy(code: number = errorCodes.noError, error?: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#error = error;
    this.#parser.stop();
    this.#out.goaway(this.#lastPeerStreamId, code, error?.message.slice(0, 200) ?? "");
    for (const stream of this.#waiting.keys()) stream.receiveReset(errorCodes.refusedStream);
    this.#waiting.clear();
    for (const stream of this.#streams.values())
      stream.receiveReset(code === errorCodes.noError ? errorCodes.cancel : code);
    this.#streams.clear();
    this.#events.end(error);
  }

  /** The transport is gone: like `destroy`, with nothing more to write. */
  lost(error?: Error): void {
    this.destroy(errorCodes.noError, error);
  }

  /** Enforces time-outs; call it every second or so. */
  tick(): void {
    if (this.#closed) return;
    const nowMs = this.#now();
    const { handshakeTimeoutMs, stallTimeoutMs, maxStalledStreams } = this.limits;
    if (!this.#control.ready && nowMs - this.#readySinceMs >= handshakeTimeoutMs) {
      this.destroy(errorCodes.settingsTimeout, new Error(`no HTTP/2 settings within ${String(handshakeTimeoutMs)} ms`));
    } else if (this.#blockSinceMs !== undefined && nowMs - this.#blockSinceMs >= handshakeTimeoutMs) {
      const message = `a header block took longer than ${String(handshakeTimeoutMs)} ms`;
      this.destroy(errorCodes.enhanceYourCalm, new Error(message));
    }
    const stalled = [...this.#streams.values()].filter(
      ({ stalledSinceMs }) => stalledSinceMs !== undefined && nowMs - stalledSinceMs >= stallTimeoutMs,
    );
    stalled.sort((a, b) => (a.stalledSinceMs ?? 0) - (b.stalledSinceMs ?? 0));
    for (const stream of stalled.slice(0, Math.max(0, stalled.length - maxStalledStreams))) {
      stream.reset(errorCodes.cancel);
    }
    this.#announceOutput();
  }

  #createHost(): StreamHost {
    const queue = this.#queue;
    const out = this.#out;
    const peer = this.#peer;
    return {
      get sendRoom() {
        return queue.room;
      },
      get maxFrameBytes() {
        return peer.maxFrameBytes;
      },
      now: this.#now,
      writeHeaders: (streamId, fields, endStream) => this.#writeHeaders(streamId, fields, endStream),
      writeData: (streamId, chunk, endStream, whole) => {
        queue.window -= chunk.length;
        out.data(streamId, chunk, endStream);
        // Data that one-byte windows cut to pieces earns the peer no further window updates.
        if (whole) this.#guard.earn();
        this.#announceOutput();
      },
      writeEnd: (streamId) => {
        if (!out.endLast(streamId)) out.data(streamId, empty, true);
        this.#announceOutput();
      },
      writeReset: (stream, code) => {
        if (stream.id !== 0 && !this.#closed) out.rstStream(stream.id, code);
        this.#announceOutput();
      },
      writeWindowUpdate: (streamId, bytes) => {
        if (this.#closed) return;
        out.windowUpdate(streamId, bytes);
        this.#announceOutput();
      },
      awaitRoom: (stream) => {
        queue.add(stream);
        this.#announceOutput();
      },
      queued: (bytes) => queue.count(bytes),
      buffered: (bytes) => {
        this.#bufferedBytes += bytes;
        if (bytes < 0) this.#refillWindow();
      },
      retire: (stream, how) => this.#retire(stream, how),
      retired: () => this.#endIfDrained(),
    };
  }

  #frameSink(): FrameSink {
    return {
      dataStart: (streamId, length) => this.#onDataStart(streamId, length),
      dataPart: (_streamId, chunk) => this.#data?.receive(chunk),
      dataEnd: (streamId, endStream) => this.#onDataEnd(streamId, endStream),
      frame: (type, frameFlags, streamId, payload) => this.#onFrame(type, frameFlags, streamId, payload),
    };
  }

  #greet(): void {
    const { limits, role } = this;
    if (role === "client") this.#out.append(preface);
    const own = [
      [settingIds.initialWindowSize, limits.streamWindowBytes],
      [settingIds.maxHeaderListSize, limits.maxHeaderListBytes],
      ...(limits.headerTableBytes === 4096 ? [] : [[settingIds.headerTableSize, limits.headerTableBytes] as const]),
      role === "client" ? [settingIds.enablePush, 0] : [settingIds.maxConcurrentStreams, limits.maxConcurrentStreams],
    ] as const;
    this.#out.settings(own as readonly (readonly [number, number])[]);
    const extra = limits.connectionWindowBytes - defaultWindowBytes;
    if (extra > 0) this.#out.windowUpdate(0, extra);
    this.#receiveWindow = Math.max(limits.connectionWindowBytes, defaultWindowBytes);
  }

  /** Tells the transport once per turn that there is output; `start` calls it for the greeting. */
  #announceOutput(): void {
    if (this.#outputPending || this.#out.length === 0) return;
    this.#outputPending = true;
    this.#events.output();
  }

  #onFrame(type: number, frameFlags: number, streamId: number, payload: Buffer): void {
    if (this.#closed) return;
    if (this.#block.open && (type !== frameTypes.continuation || streamId !== this.#block.streamId)) {
      throw new Http2Error(errorCodes.protocolError, "A frame interrupts a header block");
    }
    if (!this.#control.ready && type !== frameTypes.settings) {
      throw new Http2Error(errorCodes.protocolError, "The first frame is not SETTINGS");
    }
    switch (type) {
      case frameTypes.headers:
        this.#onHeaders(frameFlags, streamId, payload);
        break;
      case frameTypes.continuation:
        if (!this.#block.open) throw new Http2Error(errorCodes.protocolError, "CONTINUATION without HEADERS");
        this.#onFragment(payload, frameFlags);
        break;
      case frameTypes.rstStream:
        this.#onReset(streamId, payload);
        break;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(streamId, payload);
        break;
      case frameTypes.priority:
        this.#onPriority(streamId, payload);
        break;
      default:
        this.#control.onFrame(type, frameFlags, streamId, payload);
    }
  }

  #onHeaders(frameFlags: number, streamId: number, payload: Buffer): void {
    if (streamId === 0) throw new Http2Error(errorCodes.protocolError, "HEADERS on stream 0");
    const found = headerFragment(payload, (frameFlags & flags.padded) !== 0, (frameFlags & flags.priority) !== 0);
    if ("problem" in found) throw new Http2Error(found.problem, "The padding of a HEADERS frame exceeds its payload");
    this.#block.begin(streamId, (frameFlags & flags.endStream) !== 0, found.dependsOn === streamId);
    this.#onFragment(found.fragment, frameFlags);
  }

  #onFragment(fragment: Buffer, frameFlags: number): void {
    const last = (frameFlags & flags.endHeaders) !== 0;
    this.#block.add(fragment, last);
    if (!last) {
      this.#blockSinceMs ??= this.#now();
      return;
    }
    this.#blockSinceMs = undefined;
    const { streamId, endStream, selfDependent } = this.#block;
    const list = this.#block.decode();
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) this.#onLaterHeaders(stream, list, endStream, selfDependent);
    else if (this.role === "server") this.#onRequest(streamId, list, endStream, selfDependent);
    else if (this.#isIdle(streamId)) throw idle("HEADERS", streamId);
  }

  #onRequest(streamId: number, list: HeaderList, endStream: boolean, selfDependent: boolean): void {
    if (streamId % 2 === 0)
      throw new Http2Error(errorCodes.protocolError, "A client opened a stream with an even number");
    if (streamId <= this.#lastPeerStreamId) {
      this.#onClosedStream(streamId);
      return;
    }
    if (this.#draining === "final") {
      this.#guard.control(1);
      return;
    }
    this.#lastPeerStreamId = streamId;
    if (this.#streams.size >= this.limits.maxConcurrentStreams) {
      this.#refuse(streamId, errorCodes.refusedStream);
      return;
    }
    if (list.tooLarge) {
      this.#refuse(streamId, errorCodes.enhanceYourCalm);
      return;
    }
    const facts = checkHeaderList(list.fields, "request");
    if (facts.malformed || selfDependent) {
      this.#refuse(streamId, errorCodes.protocolError);
      return;
    }
    this.#guard.earn();
    const stream = this.#newStream(streamId, true);
    stream.expectLength(facts.contentLength);
    if (endStream && !stream.receiveEnd()) {
      stream.reset(errorCodes.protocolError);
      return;
    }
    this.#events.request?.(stream, list.fields);
  }

  #onLaterHeaders(stream: StreamState, list: HeaderList, endStream: boolean, selfDependent: boolean): void {
    if (stream.halfClosedRemote) {
      this.#provoked(stream, errorCodes.streamClosed);
      return;
    }
    const isResponse = this.role === "client" && !stream.responded;
    const facts = checkHeaderList(list.fields, isResponse ? "response" : "trailers");
    if (list.tooLarge) this.#provoked(stream, errorCodes.enhanceYourCalm);
    else if (facts.malformed || selfDependent || (!isResponse && !endStream) || (facts.informational && endStream)) {
      this.#provoked(stream, errorCodes.protocolError);
    } else if (facts.informational) this.#guard.control(1);
    else if (isResponse) {
      stream.responded = true;
      stream.expectLength(facts.contentLength);
      stream.sink.headers?.(list.fields);
      if (endStream && !stream.closed && !stream.receiveEnd()) this.#provoked(stream, errorCodes.protocolError);
    } else if (!stream.receiveEnd(list.fields)) this.#provoked(stream, errorCodes.protocolError);
  }

  #onDataStart(streamId: number, length: number): void {
    if (this.#block.open) throw new Http2Error(errorCodes.protocolError, "A frame interrupts a header block");
    if (!this.#control.ready) throw new Http2Error(errorCodes.protocolError, "The first frame is not SETTINGS");
    if (this.#isIdle(streamId)) throw idle("DATA", streamId);
    if (length > this.#receiveWindow) {
      throw new Http2Error(errorCodes.flowControlError, "The peer exceeded the window of the connection");
    }
    this.#receiveWindow -= length;
    this.#consumedBytes += length;
    this.#data = undefined;
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      this.#onClosedStream(streamId, true);
    } else if (stream.halfClosedRemote || (this.role === "client" && !stream.responded)) {
      this.#provoked(stream, stream.halfClosedRemote ? errorCodes.streamClosed : errorCodes.protocolError);
    } else if (length > stream.receiveWindow) {
      this.#provoked(stream, errorCodes.flowControlError);
    } else {
      stream.receiveWindow -= length;
      stream.frameBytes = length;
      this.#data = stream;
    }
    this.#refillWindow();
  }

  #onDataEnd(streamId: number, endStream: boolean): void {
    const stream = this.#data;
    this.#data = undefined;
    if (stream === undefined || stream.id !== streamId || stream.closed) return;
    const hadContent = stream.receivePadding();
    if (endStream) {
      if (!stream.receiveEnd()) this.#provoked(stream, errorCodes.protocolError);
    } else if (!hadContent) this.#guard.control(1);
  }

  #onReset(streamId: number, payload: Buffer): void {
    if (payload.length !== 4) throw new Http2Error(errorCodes.frameSizeError, "RST_STREAM has a wrong length");
    if (this.#isIdle(streamId)) throw idle("RST_STREAM", streamId);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      this.#guard.control(1);
      return;
    }
    if (this.role === "server") this.#guard.reset();
    this.#resetsReceived += 1;
    stream.receiveReset(payload.readUInt32BE(0));
  }

  #onWindowUpdate(streamId: number, payload: Buffer): void {
    if (payload.length !== 4) throw new Http2Error(errorCodes.frameSizeError, "WINDOW_UPDATE has a wrong length");
    this.#guard.control(1);
    const bytes = payload.readUInt32BE(0) & maxUint31;
    if (streamId === 0) {
      if (bytes === 0) throw new Http2Error(errorCodes.protocolError, "WINDOW_UPDATE of 0 bytes");
      this.#queue.window += bytes;
      if (this.#queue.window > maxUint31) {
        throw new Http2Error(errorCodes.flowControlError, "The window of the connection overflows");
      }
      this.pump();
      return;
    }
    if (this.#isIdle(streamId)) throw idle("WINDOW_UPDATE", streamId);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    if (bytes === 0) this.#provoked(stream, errorCodes.protocolError);
    else if (!stream.receiveWindowUpdate(bytes)) this.#provoked(stream, errorCodes.flowControlError);
    else this.pump();
  }

  /** Priorities are deprecated (RFC 9113 section 5.3): only their form is checked. */
  #onPriority(streamId: number, payload: Buffer): void {
    if (streamId === 0) throw new Http2Error(errorCodes.protocolError, "PRIORITY on stream 0");
    this.#guard.control(1);
    const bad = payload.length !== 5 ? errorCodes.frameSizeError : errorCodes.protocolError;
    if (payload.length === 5 && (payload.readUInt32BE(0) & maxUint31) !== streamId) return;
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) this.#provoked(stream, bad);
    else throw new Http2Error(bad, `PRIORITY for stream ${String(streamId)} is malformed`);
  }

  /** A frame for a stream that is closed: dropped when it crossed a reset of this side, else an error. */
  #onClosedStream(streamId: number, data = false): void {
    const ending = this.#closedStreams.find(streamId);
    if (ending === "reset-here" || this.role === "client") {
      this.#guard.control(1);
      return;
    }
    if (ending === undefined && !data) {
      throw new Http2Error(errorCodes.protocolError, `Stream ${String(streamId)} is lower than those before`);
    }
    if (!data) throw new Http2Error(errorCodes.streamClosed, `HEADERS for closed stream ${String(streamId)}`);
    this.#guard.reset();
    this.#out.rstStream(streamId, errorCodes.streamClosed);
  }

  #onSettings(windowDelta: number, first: boolean): void {
    this.#encoder.setTableBytes(this.#peer.headerTableBytes);
    if (windowDelta !== 0) {
      for (const stream of this.#streams.values()) {
        if (!stream.receiveWindowUpdate(windowDelta)) {
          throw new Http2Error(
            errorCodes.flowControlError,
            "A changed initial window overflows the window of a stream",
          );
        }
      }
    }
    if (first) this.#events.ready?.();
    this.#openWaiting();
    this.pump();
  }

  #onGoaway(code: number, lastStreamId: number): void {
    this.#peerDraining = true;
    if (this.role === "client") {
      for (const stream of this.#waiting.keys()) stream.receiveReset(errorCodes.refusedStream);
      this.#waiting.clear();
      for (const stream of this.#streams.values()) {
        // The server says that it has not looked at these, so that they may be sent again.
        if (stream.id > lastStreamId) stream.receiveReset(errorCodes.refusedStream);
      }
    }
    this.#events.goaway?.(code);
    this.#endIfDrained();
  }

  #newStream(streamId: number, server: boolean): StreamState {
    const { initialWindowBytes } = this.#peer;
    const stream = new StreamState(this.#host, streamId, initialWindowBytes, this.limits.streamWindowBytes, server);
    this.#streams.set(streamId, stream);
    return stream;
  }

  #open(stream: StreamState, fields: readonly Field[]): void {
    const id = this.#nextStreamId;
    this.#nextStreamId += 2;
    this.#streams.set(id, stream);
    stream.open(id, this.#peer.initialWindowBytes, fields);
  }

  #openWaiting(): void {
    if (this.#waiting.size === 0) return;
    for (const [stream, fields] of this.#waiting) {
      if (this.#streams.size >= this.#peer.maxConcurrentStreams) return;
      this.#waiting.delete(stream);
      this.#open(stream, fields);
    }
  }

  #retire(stream: StreamState, how: Ending): void {
    if (this.#closed) return;
    if (stream.id === 0) this.#waiting.delete(stream);
    else if (this.#streams.delete(stream.id)) this.#closedStreams.add(stream.id, how);
    if (this.#data === stream) this.#data = undefined;
    this.#openWaiting();
  }

  #endIfDrained(): void {
    if (this.#closed || this.openStreams > 0) return;
    if (this.#draining !== "final" && !this.#peerDraining) return;
    this.#closed = true;
    this.#parser.stop();
    this.#events.end(undefined);
  }

  #isIdle(streamId: number): boolean {
    if (streamId === 0) return true;
    const isOwn = (streamId % 2 === 1) === (this.role === "client");
    return isOwn ? streamId >= this.#nextStreamId : streamId > this.#lastPeerStreamId;
  }

  /** Resets a stream because of what the peer sent; doing so often ends the connection. */
  #provoked(stream: StreamState, code: number): void {
    if (this.role === "server") this.#guard.reset();
    stream.reset(code);
  }

  /** Resets a stream that never came to be. */
  #refuse(streamId: number, code: number): void {
    this.#guard.reset();
    this.#out.rstStream(streamId, code);
    this.#closedStreams.add(streamId, "reset-here");
  }

  #refillWindow(): void {
    const { connectionWindowBytes, maxBufferedBytes } = this.limits;
    if (this.#consumedBytes * 2 < connectionWindowBytes || this.#bufferedBytes > maxBufferedBytes || this.#closed)
      return;
    this.#out.windowUpdate(0, this.#consumedBytes);
    this.#receiveWindow += this.#consumedBytes;
    this.#consumedBytes = 0;
    this.#announceOutput();
  }

  #writeHeaders(streamId: number, fields: readonly Field[], endStream: boolean): void {
    const out = this.#out;
    const { maxFrameBytes } = this.#peer;
    out.reserve(9 + HpackEncoder.bound(fields));
    const start = out.position;
    const end = this.#encoder.encode(fields, out.bytes, start + 9);
    const length = end - start - 9;
    const streamFlag = endStream ? flags.endStream : 0;
    if (length <= maxFrameBytes) {
      writeFrameHeader(out.bytes, start, length, frameTypes.headers, flags.endHeaders | streamFlag, streamId);
      out.position = end;
    } else {
      const block = Buffer.from(out.bytes.subarray(start + 9, end));
      for (let offset = 0; offset < length; offset += maxFrameBytes) {
        const part = block.subarray(offset, offset + maxFrameBytes);
        const type = offset === 0 ? frameTypes.headers : frameTypes.continuation;
        const last = offset + maxFrameBytes >= length ? flags.endHeaders : 0;
        out.frameHeader(part.length, type, last | (offset === 0 ? streamFlag : 0), streamId);
        out.append(part);
      }
    }
    this.#announceOutput();
  }
}

const empty = new Uint8Array(0);

function idle(frame: string, streamId: number): Http2Error {
  return new Http2Error(errorCodes.protocolError, `${frame} for stream ${String(streamId)}, which is idle`);
}

/** Text for a GOAWAY of the peer. */
export function goawayText(code: number): string {
  return `GOAWAY ${errorName(code)}`;
}
