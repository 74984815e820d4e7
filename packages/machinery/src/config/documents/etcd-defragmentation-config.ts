import { document } from "../schema/document.ts";
import { boolean, integer } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const etcdDefragmentationConfig = document({
  kind: "EtcdDefragmentationConfig",
  schemaName: "etcd.DefragmentationConfigV1Alpha1",
  doc: "Automatic defragmentation of etcd on control plane nodes, one member at a time. This kind is not known to Talos.",
  fields: {
    enabled: property(boolean, "Whether etcd is defragmented by itself.", { default: "true" }),
    thresholdPercent: property(integer(), "Share of the database file that must be unused, from 1 to 99.", {
      default: "50",
    }),
  },
  validate: ({ thresholdPercent = 50 }, check) => {
    if (thresholdPercent < 1 || thresholdPercent > 99)
      check.error(["thresholdPercent"], "thresholdPercent must be between 1 and 99");
  },
});
