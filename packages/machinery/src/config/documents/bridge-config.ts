import { document } from "../schema/document.ts";
import { hardwareAddress } from "../schema/formats.ts";
import { boolean, string } from "../schema/scalars.ts";
import { field, list, object } from "../schema/type.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";

const stp = object("network.BridgeSTPConfig", "Spanning tree.", {
  enabled: field(boolean, "Whether spanning tree runs."),
});

const vlan = object("network.BridgeVLANConfig", "VLANs of the bridge.", {
  filtering: field(boolean, "Whether the bridge looks at VLAN tags."),
});

export const bridgeConfig = document({
  kind: "BridgeConfig",
  schemaName: "network.BridgeConfigV1Alpha1",
  doc: "A bridge between links.",
  name: "Name of the bridge.",
  conflictsWith: otherLinkKinds("BridgeConfig"),
  fields: {
    hardwareAddr: field(hardwareAddress, "Hardware address of the bridge."),
    links: field(list(string()), "Links in the bridge.", { required: true, example: ["eno1", "eno5"] }),
    stp: field(stp, "Spanning tree of the bridge.", { inlineStruct: true }),
    vlan: field(vlan, "VLANs of the bridge.", { inlineStruct: true }),
    ...commonLink,
  },
  validate: (bridge, check) => {
    requireName(bridge, check);
    validateCommonLink(bridge, check);
  },
});
