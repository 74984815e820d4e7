import { bool, message, omitEmpty, optional, uint32, type ValueOf } from "../dsl/index.ts";

/** Sizes of the rings of a port, and their limits. */
export const ethernetRingsStatus = message({
  rxMax: omitEmpty(1, optional(uint32), "rx-max"),
  rxMiniMax: omitEmpty(2, optional(uint32), "rx-mini-max"),
  rxJumboMax: omitEmpty(3, optional(uint32), "rx-jumbo-max"),
  txMax: omitEmpty(4, optional(uint32), "tx-max"),
  txPushBufLenMax: omitEmpty(5, optional(uint32), "tx-push-buf-len-max"),
  rx: omitEmpty(6, optional(uint32)),
  rxMini: omitEmpty(7, optional(uint32), "rx-mini"),
  rxJumbo: omitEmpty(8, optional(uint32), "rx-jumbo"),
  tx: omitEmpty(9, optional(uint32)),
  rxBufLen: omitEmpty(10, optional(uint32), "rx-buf-len"),
  cqeSize: omitEmpty(11, optional(uint32), "cqe-size"),
  txPush: omitEmpty(12, optional(bool), "tx-push"),
  rxPush: omitEmpty(13, optional(bool), "rx-push"),
  txPushBufLen: omitEmpty(14, optional(uint32), "tx-push-buf-len"),
  tcpDataSplit: omitEmpty(15, optional(bool), "tcp-data-split"),
});

export type EthernetRingsStatus = ValueOf<typeof ethernetRingsStatus>;
