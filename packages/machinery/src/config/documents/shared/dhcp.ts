/** DHCP for both families. */

import { duid } from "../../schema/formats.ts";
import { boolean, choice, unsigned } from "../../schema/scalars.ts";
import { property } from "../../schema/type.ts";
import type { Check } from "../../validate/check.ts";
import { requireName } from "./rules.ts";

export const dhcpFields = {
  routeMetric: property(unsigned("uint32"), "Metric of routes learnt by DHCP.", { default: "1024" }),
  ignoreHostname: property(boolean, "Whether a host name from the server is ignored."),
  clientIdentifier: property(
    choice("ClientIdentifier", ["none", "mac", "duid"]),
    "How the machine identifies itself.",
    {
      default: "mac",
    },
  ),
  duidRaw: property(duid, "The identifier, when clientIdentifier is duid.", {
    example: "00:01:00:01:23:45:67:89:ab:cd:ef:01:23:45",
  }),
};

interface Dhcp {
  readonly name?: string | undefined;
  readonly clientIdentifier?: string | undefined;
  readonly duidRaw?: string | undefined;
}

export function validateDhcp(dhcp: Dhcp, check: Check): void {
  requireName(dhcp, check);
  const byDuid = dhcp.clientIdentifier === "duid";
  if (dhcp.duidRaw !== undefined && !byDuid)
    check.error(["duidRaw"], "duidRaw can only be set if clientIdentifier is 'duid'");
  if (dhcp.duidRaw === undefined && byDuid)
    check.error(["clientIdentifier"], "duidRaw must be set if clientIdentifier is 'duid'");
}
