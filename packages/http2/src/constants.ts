/** Frame types (RFC 9113 section 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Frame flags; `ack` of SETTINGS and PING shares its bit with `endStream` of DATA and HEADERS. */
export const flags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Settings identifiers (RFC 9113 section 6.5.2). */
export const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Error codes of RST_STREAM and GOAWAY (RFC 9113 section 7). */
export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  connectError: 10,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
  http11Required: 13,
} as const;

/** First bytes of a client connection (RFC 9113 section 3.4). */
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export const frameHeaderBytes = 9;
/** Largest window, stream identifier and setting value of that kind. */
export const maxUint31 = 0x7fff_ffff;
/** Window of connections and streams before any setting (RFC 9113 section 6.9.2), in bytes. */
export const defaultWindowBytes = 65_535;
/** Frame size that every peer accepts, in bytes; we never ask for more. */
export const defaultMaxFrameBytes = 16_384;
