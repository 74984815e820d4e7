import { document } from "../schema/document.ts";
import { choice, string, unsigned } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";

export const vlanConfig = document({
  kind: "VLANConfig",
  schemaName: "network.VLANConfigV1Alpha1",
  doc: "A VLAN on a link.",
  name: "Name of the VLAN link.",
  conflictsWith: otherLinkKinds("VLANConfig"),
  fields: {
    vlanID: property(unsigned("uint16"), "Number of the VLAN, from 1 to 4094.", { required: true, example: 34 }),
    vlanMode: property(choice("VLANProtocol", ["802.1q", "802.1ad"]), "How frames are tagged.", { default: "802.1q" }),
    parent: property(string(), "Name or alias of the link the VLAN is on.", { required: true, example: "enp0s3" }),
    ...commonLink,
  },
  validate: (vlan, check) => {
    requireName(vlan, check);
    if (vlan.vlanID === undefined || vlan.vlanID > 4094) {
      check.error(["vlanID"], "vlanID must be specified and between 1 and 4094");
    }
    if (vlan.parent === undefined) check.error(["parent"], "parent must be specified");
    validateCommonLink(vlan, check);
  },
});
