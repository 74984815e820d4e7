import { document } from "../schema/document.ts";
import { boolean, choice, unsigned } from "../schema/scalars.ts";
import { property, array, dictionary, object } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

const count = unsigned("uint32", { keepZero: true });

const rings = object("network.EthernetRingsConfig", "Sizes of the ring buffers.", {
  rx: property(count, "Receive ring."),
  tx: property(count, "Transmit ring."),
  "rx-mini": property(count, "Receive ring for small frames."),
  "rx-jumbo": property(count, "Receive ring for jumbo frames."),
  "rx-buf-len": property(count, "Length of a receive buffer."),
  "cqe-size": property(count, "Size of a completion queue entry."),
  "tx-push": property(boolean, "Whether descriptors are written to the device directly."),
  "rx-push": property(boolean, "Whether received descriptors are pushed."),
  "tx-push-buf-len": property(count, "Length of the transmit push buffer."),
  "tcp-data-split": property(boolean, "Whether headers and data of TCP are received apart."),
});

const channels = object("network.EthernetChannelsConfig", "Numbers of channels.", {
  rx: property(count, "Receive channels."),
  tx: property(count, "Transmit channels."),
  other: property(count, "Other channels."),
  combined: property(count, "Channels that do both."),
});

const wakeModes = ["phy", "unicast", "multicast", "broadcast", "magic", "magicsecure", "filter"] as const;

export const ethernetConfig = document({
  kind: "EthernetConfig",
  schemaName: "network.EthernetConfigV1Alpha1",
  doc: "Settings of a network card, as ethtool makes them.",
  name: "Name of the link.",
  fields: {
    features: property(
      dictionary(boolean, { type: "object", patternProperties: { ".*": { type: "boolean" } } }),
      "Offloads and other features by their ethtool name.",
      { example: { "tx-tcp-segmentation": false } },
    ),
    rings: property(rings, "Sizes of the ring buffers."),
    channels: property(channels, "Numbers of channels."),
    wakeOnLan: property(
      array(choice("WOLMode", wakeModes, { json: { type: "string" } })),
      "What wakes the machine up.",
      {
        example: ["unicast", "multicast"],
      },
    ),
  },
  validate: (ethernet, check) => requireName(ethernet, check, "name is required"),
});
