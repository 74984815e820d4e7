import { document } from "../schema/document.ts";
import { dhcpFields, validateDhcp } from "./shared/dhcp.ts";

export const dhcpV6Config = document({
  kind: "DHCPv6Config",
  schemaName: "network.DHCPv6ConfigV1Alpha1",
  doc: "DHCPv6 on a link.",
  name: "Name or alias of the link.",
  fields: dhcpFields,
  validate: validateDhcp,
});
