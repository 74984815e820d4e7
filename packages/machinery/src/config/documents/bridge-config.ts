import { document } from "../schema/document.ts";
import { hardwareAddressFormat } from "../schema/formats.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";

const stp = object("network.BridgeSTPConfig", "Spanning tree.", {
  enabled: property(boolean, "Whether spanning tree runs."),
});

const vlan = object("network.BridgeVLANConfig", "VLANs of the bridge.", {
  filtering: property(boolean, "Whether the bridge looks at VLAN tags."),
});

export const bridgeConfig = document({
  kind: "BridgeConfig",
  schemaName: "network.BridgeConfigV1Alpha1",
  doc: "A bridge between links.",
  name: "Name of the bridge.",
  conflictsWith: otherLinkKinds("BridgeConfig"),
  fields: {
    hardwareAddr: property(hardwareAddressFormat, "Hardware address of the bridge."),
    links: property(array(string()), "Links in the bridge.", { required: true, example: ["eno1", "eno5"] }),
    stp: property(stp, "Spanning tree of the bridge.", { inlineStruct: true }),
    vlan: property(vlan, "VLANs of the bridge.", { inlineStruct: true }),
    ...commonLink,
  },
  validate: (bridge, check) => {
    requireName(bridge, check);
    validateCommonLink(bridge, check);
  },
});
