/** Bounds and windows of a connection; both sides have the same. */
export interface TransportLimits {
  /** Largest message taken from the peer, in bytes. @default {33_554_432} */
  readonly maxReceiveBytes?: number;
  /** Largest message sent to the peer, in bytes. @default {33_554_432} */
  readonly maxSendBytes?: number;
  /** Bytes the peer may send on one stream before it is read. @default {1_048_576} */
  readonly streamWindowBytes?: number;
  /** Bytes the peer may send on the connection before it is read. @default {8_388_608} */
  readonly sessionWindowBytes?: number;
}

export const defaultLimits = {
  maxReceiveBytes: 32 * 1024 * 1024,
  maxSendBytes: 32 * 1024 * 1024,
  streamWindowBytes: 1024 * 1024,
  sessionWindowBytes: 8 * 1024 * 1024,
} as const satisfies Required<TransportLimits>;
