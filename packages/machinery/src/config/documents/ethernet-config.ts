import { document } from "../schema/document.ts";
import { boolean, choice, unsigned } from "../schema/scalars.ts";
import { field, list, map, object } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

const count = unsigned("uint32", { keepZero: true });

const rings = object("network.EthernetRingsConfig", "Sizes of the ring buffers.", {
  rx: field(count, "Receive ring."),
  tx: field(count, "Transmit ring."),
  "rx-mini": field(count, "Receive ring for small frames."),
  "rx-jumbo": field(count, "Receive ring for jumbo frames."),
  "rx-buf-len": field(count, "Length of a receive buffer."),
  "cqe-size": field(count, "Size of a completion queue entry."),
  "tx-push": field(boolean, "Whether descriptors are written to the device directly."),
  "rx-push": field(boolean, "Whether received descriptors are pushed."),
  "tx-push-buf-len": field(count, "Length of the transmit push buffer."),
  "tcp-data-split": field(boolean, "Whether headers and data of TCP are received apart."),
});

const channels = object("network.EthernetChannelsConfig", "Numbers of channels.", {
  rx: field(count, "Receive channels."),
  tx: field(count, "Transmit channels."),
  other: field(count, "Other channels."),
  combined: field(count, "Channels that do both."),
});

const wakeModes = ["phy", "unicast", "multicast", "broadcast", "magic", "magicsecure", "filter"] as const;

export const ethernetConfig = document({
  kind: "EthernetConfig",
  schemaName: "network.EthernetConfigV1Alpha1",
  doc: "Settings of a network card, as ethtool makes them.",
  name: "Name of the link.",
  fields: {
    features: field(
      map(boolean, { type: "object", patternProperties: { ".*": { type: "boolean" } } }),
      "Offloads and other features by their ethtool name.",
      { example: { "tx-tcp-segmentation": false } },
    ),
    rings: field(rings, "Sizes of the ring buffers."),
    channels: field(channels, "Numbers of channels."),
    wakeOnLan: field(list(choice("WOLMode", wakeModes, { json: { type: "string" } })), "What wakes the machine up.", {
      example: ["unicast", "multicast"],
    }),
  },
  validate: (ethernet, check) => requireName(ethernet, check, "name is required"),
});
