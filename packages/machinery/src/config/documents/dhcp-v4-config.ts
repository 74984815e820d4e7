import { document } from "../schema/document.ts";
import { dhcpFields, validateDhcp } from "./shared/dhcp.ts";

export const dhcpV4Config = document({
  kind: "DHCPv4Config",
  schemaName: "network.DHCPv4ConfigV1Alpha1",
  doc: "DHCPv4 on a link.",
  name: "Name or alias of the link.",
  fields: dhcpFields,
  validate: validateDhcp,
});
