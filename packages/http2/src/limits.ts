/** Bounds of a connection. Every one has a default that suits a peer across the network. */
export interface Http2Limits {
  /** Streams that the peer may have open; more are refused with REFUSED_STREAM. Default 1 024. */
  readonly maxConcurrentStreams: number;
  /** Bytes the peer may send on a stream before they are read. Default 1 MiB. */
  readonly streamWindowBytes: number;
  /**
   * Bytes that the windows of open streams share: where each one's part is more than `streamWindowBytes`, a stream that is read as
   * fast as it comes gets a window of that size. Default 0, all windows are of `streamWindowBytes`.
   */
  readonly sharedWindowBytes: number;
  /** Bytes the peer may send on the connection before they arrive here. Default 8 MiB. */
  readonly connectionWindowBytes: number;
  /**
   * Bytes that streams nobody reads may hold before the connection's window is not refilled any more. Below it, a stream that is
   * read slowly does not hold up the others. Default 32 MiB.
   */
  readonly maxBufferedBytes: number;
  /** Bytes that wait to be sent on all streams; the stream that exceeds it is reset (ENHANCE_YOUR_CALM). Default 256 MiB. */
  readonly maxSendQueueBytes: number;
  /**
   * Bytes of a header list, counted as SETTINGS_MAX_HEADER_LIST_SIZE counts, and bytes of its compressed form. A longer list
   * resets the stream, a longer block ends the connection. Default 64 KiB.
   */
  readonly maxHeaderListBytes: number;
  /** CONTINUATION frames of one header block. Default 32. */
  readonly maxContinuations: number;
  /** Bytes of the dynamic table for what the peer sends. Default 4 096. */
  readonly headerTableBytes: number;
  /**
   * Streams that the peer opens and resets, or provokes this side into resetting: so many at once, and so many per second. Beyond
   * it the connection ends. Default 1 000 and 100.
   */
  readonly streamResetBurst: number;
  readonly streamResetsPerSecond: number;
  /**
   * Frames that ask for nothing useful (SETTINGS, PING, PRIORITY, WINDOW_UPDATE, empty DATA, unknown types): so many at once,
   * and so many per second. Calls and data earn further ones. Beyond it the connection ends. Default 10 000 and 1 000.
   */
  readonly controlFrameBurst: number;
  readonly controlFramesPerSecond: number;
  /**
   * Streams whose peer takes nothing of what waits for it; when more than this many have been so for `stallTimeoutMs`, the oldest
   * are reset. Default 100 and 30 000 ms.
   */
  readonly maxStalledStreams: number;
  readonly stallTimeoutMs: number;
  /** Time for the preface and the first SETTINGS, in ms; also for the rest of a header block that has begun. Default 10 000. */
  readonly handshakeTimeoutMs: number;
}

/** The defaults of `Http2Limits`. */
export const defaultHttp2Limits: Http2Limits = {
  maxConcurrentStreams: 1024,
  streamWindowBytes: 1024 * 1024,
  sharedWindowBytes: 0,
  connectionWindowBytes: 8 * 1024 * 1024,
  maxBufferedBytes: 32 * 1024 * 1024,
  maxSendQueueBytes: 256 * 1024 * 1024,
  maxHeaderListBytes: 64 * 1024,
  maxContinuations: 32,
  headerTableBytes: 4096,
  streamResetBurst: 1000,
  streamResetsPerSecond: 100,
  controlFrameBurst: 10_000,
  controlFramesPerSecond: 1000,
  maxStalledStreams: 100,
  stallTimeoutMs: 30_000,
  handshakeTimeoutMs: 10_000,
};

/**
 * Overrides for a peer on this machine. It is a proxy as often as not: the cancellations and the slow readers of all its callers
 * come through one connection, and cutting that for one of them would hurt them all.
 */
export const localPeerLimits = {
  streamResetBurst: 100_000,
  streamResetsPerSecond: 10_000,
  controlFrameBurst: 100_000,
  controlFramesPerSecond: 10_000,
  maxStalledStreams: Number.POSITIVE_INFINITY,
  maxBufferedBytes: 256 * 1024 * 1024,
} as const satisfies Partial<Http2Limits>;
