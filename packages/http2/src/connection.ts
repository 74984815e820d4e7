import { defaultMaxFrameBytes, errorCodes, frameTypes, maxUint31, preface, settingIds } from "./constants.ts";
import type { ConnectionEvents, ConnectionOptions, FlowState } from "./connection-contract.ts";
import { Http2Error } from "./errors.ts";
import type { Field } from "./field.ts";
import { FrameParser, type FrameSink } from "./frame/frame-parser.ts";
import { OutBuffer } from "./frame/out-buffer.ts";
import { ControlFrames } from "./internal/control-frames.ts";
import { FloodGuard } from "./internal/flood-guard.ts";
import { HeldAcks } from "./internal/held-acks.ts";
import { HeaderWriter } from "./internal/header-writer.ts";
import { initialPeerSettings } from "./internal/peer-settings.ts";
import { ReceiveWindow } from "./internal/receive-window.ts";
import { SendQueue } from "./internal/send-queue.ts";
import { StreamFrames } from "./internal/stream-frames.ts";
import { createStreamHost } from "./internal/stream-host.ts";
import { StreamTable } from "./internal/stream-table.ts";
import { defaultHttp2Limits, type Http2Limits } from "./limits.ts";
import type { Http2Stream, StreamSink } from "./stream.ts";

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
  readonly #startedAtMs: number;
  readonly #out: OutBuffer;
  readonly #parser: FrameParser;
  readonly #peer = initialPeerSettings();
  readonly #headers: HeaderWriter;
  readonly #guard: FloodGuard;
  readonly #acks: HeldAcks;
  readonly #control: ControlFrames;
  readonly #queue: SendQueue;
  readonly #window: ReceiveWindow;
  readonly #streams: StreamTable;
  readonly #frames: StreamFrames;
  #draining: "no" | "announced" | "final" = "no";
  #peerDraining = false;
  #closed = false;
  #error: Error | undefined;
  #outputPending = false;
  #ackPending = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    const { role, now = () => performance.now() } = options;
    const limits = { ...defaultHttp2Limits, ...options.limits };
    const out = new OutBuffer(options.referenceFrom);
    this.role = role;
    this.limits = limits;
    this.#events = events;
    this.#now = now;
    this.#startedAtMs = now();
    this.#out = out;
    this.#acks = new HeldAcks(out);
    this.#headers = new HeaderWriter(out, this.#peer);
    this.#guard = new FloodGuard(limits, now);
    this.#queue = new SendQueue(out, limits.maxSendQueueBytes);
    this.#window = new ReceiveWindow(out, limits);
    const host = createStreamHost({
      out,
      now,
      peer: this.#peer,
      headers: this.#headers,
      guard: this.#guard,
      queue: this.#queue,
      window: this.#window,
      closed: () => this.#closed,
      windowBytes: () => this.#streams.windowBytes,
      announce: () => this.#announceOutput(),
      retire: (stream, how) => {
        this.#streams.remove(stream, how);
        if (!this.#closed) this.#streams.startWaiting();
      },
      retired: () => this.#endIfDrained(),
      ended: () => {
        if (this.#streams.total <= 1) this.#events.complete?.();
      },
    });
    this.#streams = new StreamTable({ role, host, peer: this.#peer, limits });
    this.#control = new ControlFrames({
      role,
      out,
      acks: this.#acks,
      guard: this.#guard,
      peer: this.#peer,
      onSettings: (windowDelta, first) => this.#onSettings(windowDelta, first),
      onGoaway: (code, lastStreamId) => this.#onGoaway(code, lastStreamId),
    });
    this.#frames = new StreamFrames({
      role,
      limits,
      now,
      out,
      guard: this.#guard,
      streams: this.#streams,
      window: this.#window,
      accepting: () => this.#draining !== "final",
      onRequest: (stream, fields) => this.#events.request?.(stream, fields),
      onRoom: () => this.pump(),
    });
    const expectPreface = role === "server";
    this.#parser = new FrameParser(this.#frameSink(), { maxFrameBytes: defaultMaxFrameBytes, expectPreface });
    this.#greet();
  }

  /** True when the connection takes no more requests: closing, closed, or told so by the peer. */
  get closing(): boolean {
    return this.#closed || this.#peerDraining || this.#draining !== "no";
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Error that ended the connection; `undefined` while it is open and after an orderly end. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Streams that the peer has reset so far. */
  get resetsReceived(): number {
    return this.#frames.resets;
  }

  /** Streams that are open or wait for their turn. */
  get openStreams(): number {
    return this.#streams.total;
  }

  /** True while bytes are handled behind which others were received with them. */
  get moreFollows(): boolean {
    return this.#parser.moreFollows;
  }

  get flow(): FlowState {
    return {
      sendWindow: this.#queue.window,
      receiveWindow: this.#window.bytes,
      bufferedBytes: this.#window.bufferedBytes,
      queuedBytes: this.#queue.queuedBytes,
    };
  }

  /** Takes bytes from the transport. Their memory is used again only as `ReceiveMemory` says. */
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

  /** Frames that wait to be written, in order. */
  takeOutput(): Buffer[] {
    if (this.#queue.queuedBytes === 0) this.#acks.release();
    this.#outputPending = false;
    this.#ackPending = this.#acks.size > 0;
    const output = this.#out.take();
    if (!this.#closed && !this.#queue.blocked) this.pump();
    return output;
  }

  /** Puts acknowledgements that wait for other output behind what there is. */
  releaseAcks(): void {
    this.#acks.release();
    this.#ackPending = false;
    this.#announceOutput();
  }

  /** Tells that the transport takes no more for now; `false` lets waiting streams go on. */
  setBlocked(blocked: boolean): void {
    this.#queue.blocked = blocked;
    if (!blocked) this.pump();
  }

  /** Sends what waits on streams, as far as windows and transport allow. */
  pump(): void {
    if (this.#closed) return;
    this.#queue.pump();
    this.#announceOutput();
  }

  /**
   * Client: starts a request; it waits when the peer allows no more streams at once.
   *
   * @throws {Http2Error} REFUSED_STREAM when the connection is closing, or has used all stream numbers.
   */
  request(fields: readonly Field[], sink: StreamSink, endStream = false): Http2Stream {
    if (this.closing || this.#streams.exhausted) {
      throw new Http2Error(errorCodes.refusedStream, "The connection takes no more requests");
    }
    const stream = this.#streams.create();
    stream.sink = sink;
    if (endStream) stream.end();
    this.#streams.start(stream, fields);
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
    if (this.role === "client") {
      this.#draining = "final";
      this.#out.goaway(0, errorCodes.noError);
      this.#endIfDrained();
    } else {
      this.#draining = "announced";
      this.#out.goaway(maxUint31, errorCodes.noError);
      this.#control.ping(() => this.#nameLastStream());
    }
    this.#announceOutput();
  }

  /** Ends the connection and every stream on it at once. */
  destroy(code: number = errorCodes.noError, error?: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#error = error;
    this.#parser.stop();
    this.#out.goaway(this.#streams.lastPeerId, code, error?.message.slice(0, 200) ?? "");
    // Requests that wait were never sent; the others end with the reason.
    this.#streams.endAbove(maxUint31, errorCodes.refusedStream);
    this.#streams.endAbove(0, code === errorCodes.noError ? errorCodes.cancel : code);
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
    const { handshakeTimeoutMs } = this.limits;
    const { blockSinceMs } = this.#frames;
    if (!this.#control.ready && nowMs - this.#startedAtMs >= handshakeTimeoutMs) {
      this.destroy(errorCodes.settingsTimeout, new Error(`no HTTP/2 settings within ${String(handshakeTimeoutMs)} ms`));
    } else if (blockSinceMs !== undefined && nowMs - blockSinceMs >= handshakeTimeoutMs) {
      const error = new Error(`a header block took longer than ${String(handshakeTimeoutMs)} ms`);
      this.destroy(errorCodes.enhanceYourCalm, error);
    } else {
      for (const stream of this.#streams.stalledBeyondLimit(nowMs)) stream.reset(errorCodes.cancel);
    }
    this.#announceOutput();
  }

  #frameSink(): FrameSink {
    return {
      dataStart: (streamId, length) => {
        this.#checkOrder(frameTypes.data, streamId);
        this.#frames.onDataStart(streamId, length);
      },
      dataPart: (_streamId, chunk) => this.#frames.onDataPart(chunk),
      dataEnd: (_streamId, endStream) => this.#frames.onDataEnd(endStream),
      frame: (type, frameFlags, streamId, payload) => {
        this.#checkOrder(type, streamId);
        this.#onFrame(type, frameFlags, streamId, payload);
      },
    };
  }

  /** SETTINGS come first, and nothing comes between the frames of a header block. */
  #checkOrder(type: number, streamId: number): void {
    const { blockStreamId } = this.#frames;
    if (blockStreamId !== 0 && (type !== frameTypes.continuation || streamId !== blockStreamId)) {
      throw new Http2Error(errorCodes.protocolError, "A frame interrupts a header block");
    }
    if (!this.#control.ready && type !== frameTypes.settings) {
      throw new Http2Error(errorCodes.protocolError, "The first frame is not SETTINGS");
    }
  }

  #onFrame(type: number, frameFlags: number, streamId: number, payload: Buffer): void {
    switch (type) {
      case frameTypes.headers:
        this.#frames.onHeaders(frameFlags, streamId, payload);
        break;
      case frameTypes.continuation:
        this.#frames.onContinuation(frameFlags, payload);
        break;
      case frameTypes.rstStream:
        this.#frames.onReset(streamId, payload);
        break;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(streamId, payload);
        break;
      case frameTypes.priority:
        this.#frames.onPriority(streamId, payload);
        break;
      default:
        this.#control.onFrame(type, frameFlags, streamId, payload);
    }
  }

  #onWindowUpdate(streamId: number, payload: Buffer): void {
    if (payload.length !== 4) throw new Http2Error(errorCodes.frameSizeError, "WINDOW_UPDATE has a wrong length");
    this.#guard.control(1);
    const bytes = payload.readUInt32BE(0) & maxUint31;
    if (streamId !== 0) {
      this.#frames.onWindowUpdate(streamId, bytes);
      return;
    }
    if (bytes === 0) throw new Http2Error(errorCodes.protocolError, "WINDOW_UPDATE of 0 bytes");
    this.#queue.grow(bytes);
    this.pump();
  }

  #greet(): void {
    const { streamWindowBytes, maxHeaderListBytes, maxConcurrentStreams, headerTableBytes } = this.limits;
    if (this.role === "client") this.#out.append(preface);
    this.#out.settings([
      [settingIds.initialWindowSize, streamWindowBytes],
      [settingIds.maxHeaderListSize, maxHeaderListBytes],
      [settingIds.headerTableSize, headerTableBytes],
      this.role === "client" ? [settingIds.enablePush, 0] : [settingIds.maxConcurrentStreams, maxConcurrentStreams],
    ]);
    this.#window.greet();
  }

  /** Tells the transport once per turn that there is output. */
  #announceOutput(): void {
    if (this.#acks.size > 0 && !this.#ackPending) {
      this.#ackPending = true;
      if (this.#events.ack === undefined) this.releaseAcks();
      else this.#events.ack();
    }
    if (this.#outputPending || this.#out.length === 0) return;
    this.#outputPending = true;
    this.#events.output();
  }

  #onSettings(windowDelta: number, first: boolean): void {
    this.#headers.applySettings();
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
    this.#streams.startWaiting();
    this.pump();
  }

  #onGoaway(code: number, lastStreamId: number): void {
    this.#peerDraining = true;
    // A server says that it has not looked at these, so that they may be sent again.
    if (this.role === "client") this.#streams.endAbove(lastStreamId, errorCodes.refusedStream);
    this.#events.goaway?.(code);
    this.#endIfDrained();
  }

  #nameLastStream(): void {
    if (this.#closed) return;
    this.#draining = "final";
    this.#out.goaway(this.#streams.lastPeerId, errorCodes.noError);
    this.#endIfDrained();
    this.#announceOutput();
  }

  #endIfDrained(): void {
    if (this.#closed || this.#streams.total > 0) return;
    if (this.#draining !== "final" && !this.#peerDraining) return;
    this.#closed = true;
    this.#parser.stop();
    this.#events.end(undefined);
  }
}
