import { maxUint31 } from "../constants.ts";
import type { Field } from "../field.ts";
import type { Http2Limits } from "../limits.ts";
import type { PeerSettings } from "./peer-settings.ts";
import { RecentlyClosed, type Ending } from "./recently-closed.ts";
import { StreamState, type StreamHost } from "./stream-state.ts";

export interface StreamTableOptions {
  readonly role: "client" | "server";
  readonly host: StreamHost;
  readonly peer: PeerSettings;
  readonly limits: Pick<
    Http2Limits,
    "streamWindowBytes" | "sharedWindowBytes" | "maxStalledStreams" | "stallTimeoutMs"
  >;
}

/**
 * Holder of an open stream in a map.
 *
 * A map that entries come to and go from is copied every now and then, and V8 keeps copies of old age, with the entries they had,
 * until the next full collection: everything that a finished call held would live that long. A holder that is emptied lets go.
 */
interface OpenStream {
  stream: StreamState | undefined;
}

/** The streams of a connection: those that are open, requests that wait for their turn, and those closed last. */
export class StreamTable {
  /** Highest number that the peer has opened. */
  lastPeerId = 0;
  readonly #options: StreamTableOptions;
  readonly #open = new Map<number, OpenStream>();
  readonly #waiting = new Map<StreamState, readonly Field[]>();
  readonly #closed = new RecentlyClosed();
  #nextId = 1;

  constructor(options: StreamTableOptions) {
    this.#options = options;
  }

  /** Streams that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Streams that are open or wait. */
  get total(): number {
    return this.#open.size + this.#waiting.size;
  }

  /** Window of a stream when those of all open ones are alike. */
  get windowBytes(): number {
    const { streamWindowBytes, sharedWindowBytes } = this.#options.limits;
    return Math.max(streamWindowBytes, Math.floor(sharedWindowBytes / Math.max(1, this.#open.size)));
  }

  /** True when there are no numbers left. */
  get exhausted(): boolean {
    return this.#nextId > maxUint31;
  }

  get(streamId: number): StreamState | undefined {
    return this.#open.get(streamId)?.stream;
  }

  *values(): Generator<StreamState> {
    for (const { stream } of this.#open.values()) if (stream !== undefined) yield stream;
  }

  /** The oldest of the streams whose peer has taken nothing for too long, as far as there are more of them than may be. */
  stalledBeyondLimit(nowMs: number): StreamState[] {
    const { stallTimeoutMs, maxStalledStreams } = this.#options.limits;
    if (this.#open.size <= maxStalledStreams) return [];
    const stalled = [...this.values()].filter(
      ({ stalledSinceMs }) => stalledSinceMs !== undefined && nowMs - stalledSinceMs >= stallTimeoutMs,
    );
    stalled.sort((a, b) => (a.stalledSinceMs ?? 0) - (b.stalledSinceMs ?? 0));
    return stalled.slice(0, Math.max(0, stalled.length - maxStalledStreams));
  }

  /** True for a number that neither side has used yet. */
  isIdle(streamId: number): boolean {
    if (streamId === 0) return true;
    const isOwn = (streamId % 2 === 1) === (this.#options.role === "client");
    return isOwn ? streamId >= this.#nextId : streamId > this.lastPeerId;
  }

  /** End of a stream that is no longer open. */
  endingOf(streamId: number): Ending | undefined {
    return this.#closed.find(streamId);
  }

  /** Notes a number whose stream never came to be. */
  refuse(streamId: number): void {
    this.#closed.add(streamId, "reset-here");
  }

  /** Opens a stream of the peer. */
  accept(streamId: number): StreamState {
    const { host, peer, limits } = this.#options;
    const stream = new StreamState(host, streamId, peer.initialWindowBytes, limits.streamWindowBytes, true);
    this.#open.set(streamId, { stream });
    return stream;
  }

  /** Makes a stream for a request of this side; `start` sends it. */
  create(): StreamState {
    return new StreamState(this.#options.host, 0, 0, this.#options.limits.streamWindowBytes, false);
  }

  /** Opens the stream now, or as soon as the peer allows another. */
  start(stream: StreamState, fields: readonly Field[]): void {
    if (this.#waiting.size > 0 || this.#open.size >= this.#options.peer.maxConcurrentStreams) {
      this.#waiting.set(stream, fields);
    } else this.#openOwn(stream, fields);
  }

  startWaiting(): void {
    if (this.#waiting.size === 0) return;
    for (const [stream, fields] of this.#waiting) {
      if (this.#open.size >= this.#options.peer.maxConcurrentStreams) return;
      this.#waiting.delete(stream);
      this.#openOwn(stream, fields);
    }
  }

  remove(stream: StreamState, ending: Ending): void {
    if (stream.id === 0) {
      this.#waiting.delete(stream);
      return;
    }
    const open = this.#open.get(stream.id);
    if (open === undefined) return;
    open.stream = undefined;
    this.#open.delete(stream.id);
    this.#closed.add(stream.id, ending);
  }

  /** Ends requests that wait, and those opened above `streamId`. */
  endAbove(streamId: number, code: number): void {
    for (const stream of this.#waiting.keys()) stream.receiveReset(code);
    for (const stream of this.values()) if (stream.id > streamId) stream.receiveReset(code);
  }

  #openOwn(stream: StreamState, fields: readonly Field[]): void {
    const id = this.#nextId;
    this.#nextId += 2;
    this.#open.set(id, { stream });
    stream.open(id, this.#options.peer.initialWindowBytes, fields);
  }
}
