import {
  bool,
  defineResource,
  field,
  int64,
  list,
  message,
  omitEmpty,
  optional,
  text,
  uint32,
  type SpecOf,
  type ValueOf,
} from "../dsl/index.ts";
import { duplex, port, wolMode } from "../enums/index.ts";
import { ethernetRingsStatus } from "./ethernet-rings-status.ts";

const feature = message({ name: field(1, text), status: field(2, text) });

/** Printed as one mapping, in the order in which the driver lists its features. */
const features = {
  ...list(feature),
  fromPlain: undefined,
  toPlain: (value: readonly ValueOf<typeof feature>[]) =>
    Object.fromEntries(value.map(({ name, status }) => [name, status])),
};

const ethernetChannelsStatus = message({
  rxMax: omitEmpty(1, optional(uint32), "rx-max"),
  txMax: omitEmpty(2, optional(uint32), "tx-max"),
  otherMax: omitEmpty(3, optional(uint32), "other-max"),
  combinedMax: omitEmpty(4, optional(uint32), "combined-max"),
  rx: omitEmpty(5, optional(uint32)),
  tx: omitEmpty(6, optional(uint32)),
  other: omitEmpty(7, optional(uint32)),
  combined: omitEmpty(8, optional(uint32)),
});

/** Settings an Ethernet port has. */
export const EthernetStatus = defineResource({
  type: "EthernetStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["ethtool"],
  columns: [
    ["Link", "{.linkState}"],
    ["Speed", "{.speedMbit}"],
  ],
  spec: {
    linkState: omitEmpty(1, optional(bool)),
    speedMbit: omitEmpty(2, int64),
    port: field(3, port),
    duplex: field(4, duplex),
    ourModes: omitEmpty(5, list(text)),
    peerModes: omitEmpty(6, list(text)),
    rings: omitEmpty(7, optional(ethernetRingsStatus)),
    features: omitEmpty(8, features),
    channels: omitEmpty(9, optional(ethernetChannelsStatus)),
    wakeOnLAN: omitEmpty(10, list(wolMode)),
  },
});

export type EthernetStatusSpec = SpecOf<typeof EthernetStatus>;
