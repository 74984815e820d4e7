import { bool, defineResource, list, map, message, omitEmpty, optional, uint32, type SpecOf } from "../dsl/index.ts";
import { wolMode } from "../enums/index.ts";

const ethernetRings = message({
  rx: omitEmpty(1, optional(uint32)),
  tx: omitEmpty(4, optional(uint32)),
  rxMini: omitEmpty(2, optional(uint32), "rx-mini"),
  rxJumbo: omitEmpty(3, optional(uint32), "rx-jumbo"),
  rxBufLen: omitEmpty(5, optional(uint32), "rx-buf-len"),
  cqeSize: omitEmpty(6, optional(uint32), "cqe-size"),
  txPush: omitEmpty(7, optional(bool), "tx-push"),
  rxPush: omitEmpty(8, optional(bool), "rx-push"),
  txPushBufLen: omitEmpty(9, optional(uint32), "tx-push-buf-len"),
  tcpDataSplit: omitEmpty(10, optional(bool), "tcp-data-split"),
});

const ethernetChannels = message({
  rx: omitEmpty(1, optional(uint32)),
  tx: omitEmpty(2, optional(uint32)),
  other: omitEmpty(3, optional(uint32)),
  combined: omitEmpty(4, optional(uint32)),
});

/** Settings an Ethernet port should have. */
export const EthernetSpec = defineResource({
  type: "EthernetSpecs.net.talos.dev",
  namespace: "network",
  spec: {
    rings: omitEmpty(1, ethernetRings),
    features: omitEmpty(2, map(bool)),
    channels: omitEmpty(3, ethernetChannels),
    wakeOnLan: omitEmpty(4, list(wolMode)),
  },
});

export type EthernetSpecSpec = SpecOf<typeof EthernetSpec>;
