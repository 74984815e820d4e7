import { document } from "../schema/document.ts";
import { hardwareAddressFormat } from "../schema/formats.ts";
import { string } from "../schema/scalars.ts";
import { property, array } from "../schema/type.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { routingTable } from "./shared/routing-table.ts";
import { requireName } from "./shared/rules.ts";

const reserved = new Set(["unspec", "local", "main", "default"]);

export const vrfConfig = document({
  kind: "VRFConfig",
  schemaName: "network.VRFConfigV1Alpha1",
  doc: "A routing domain: links whose traffic follows a routing table of their own.",
  name: "Name of the VRF link.",
  conflictsWith: otherLinkKinds("VRFConfig"),
  fields: {
    hardwareAddr: property(hardwareAddressFormat, "Hardware address of the link."),
    links: property(array(string()), "Links in the domain.", { required: true, example: ["eno1", "eno5"] }),
    table: property(routingTable, "Routing table of the domain.", { always: true, required: true, example: "123" }),
    ...commonLink,
  },
  validate: (vrf, check) => {
    requireName(vrf, check);
    const table = vrf.table ?? "unspec";
    if (reserved.has(table)) check.error(["table"], `cannot create vrf with reserved table ${table}`);
    validateCommonLink(vrf, check);
  },
});
