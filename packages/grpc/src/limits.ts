/** Bounds and windows of a connection; both sides have the same. */
export interface TransportLimits {
  /** Largest message taken from the peer, in bytes. @default {33_554_432} */
  readonly maxReceiveBytes?: number;
  /** Largest message sent to the peer, in bytes. @default {33_554_432} */
  readonly maxSendBytes?: number;
  /** Bytes the peer may send on one stream before it is read. @default {1_048_576} */
  readonly streamWindowBytes?: number;
  /** Bytes that few streams share as windows larger than `streamWindowBytes`; see `Http2Limits`. @default {0} */
  readonly sharedWindowBytes?: number;
  /** Bytes the peer may send on the connection before it is read. @default {8_388_608} */
  readonly sessionWindowBytes?: number;
}

export const defaultLimits = {
  maxReceiveBytes: 32 * 1024 * 1024,
  maxSendBytes: 32 * 1024 * 1024,
  streamWindowBytes: 1024 * 1024,
  sharedWindowBytes: 0,
  sessionWindowBytes: 8 * 1024 * 1024,
} as const satisfies Required<TransportLimits>;
