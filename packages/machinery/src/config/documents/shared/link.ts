/** Properties of all documents about links. */

import { address, prefix } from "../../schema/formats.ts";
import { boolean, unsigned } from "../../schema/scalars.ts";
import { property, array, object, type Infer } from "../../schema/type.ts";
import type { Check } from "../../validate/check.ts";
import { routingTable } from "./routing-table.ts";

const linkAddress = object("network.AddressConfig", "An address of a link.", {
  address: property(prefix, "Address with the length of its network.", {
    always: true,
    required: true,
    example: "192.168.1.100/24",
  }),
  routePriority: property(unsigned("uint32", { keepZero: true }), "Metric of the route to the network of the address."),
});

const linkRoute = object("network.RouteConfig", "A route through a link.", {
  destination: property(prefix, "Destination; absent for the default route.", { example: "10.0.0.0/8" }),
  gateway: property(address, "Gateway; absent for a route to the link itself."),
  source: property(address, "Source address of packets that take the route."),
  metric: property(unsigned("uint32"), "Metric of the route."),
  mtu: property(unsigned("uint32"), "MTU of the route."),
  table: property(routingTable, "Routing table.", { default: "main" }),
});

/** Fields every link document ends with. */
export const commonLink = {
  up: property(boolean, "Whether the link is brought up."),
  mtu: property(unsigned("uint32"), "MTU of the link."),
  addresses: property(array(linkAddress), "Addresses of the link."),
  routes: property(array(linkRoute), "Routes through the link."),
  multicast: property(boolean, "Whether the link carries multicast."),
};

/** Kinds of documents that describe one link each; what they say about addresses and routes has one form. */
export const linkKinds: readonly string[] = [
  "BondConfig",
  "BridgeConfig",
  "DummyLinkConfig",
  "LinkConfig",
  "VLANConfig",
  "VRFConfig",
  "WireguardConfig",
];

/** Only one document may describe a link. */
export function otherLinkKinds(kind: string): readonly string[] {
  return linkKinds.filter((other) => other !== kind);
}

interface CommonLink {
  readonly addresses?: readonly Infer<typeof linkAddress>[] | undefined;
  readonly routes?: readonly Infer<typeof linkRoute>[] | undefined;
}

const unspecified = /^(?:0\.0\.0\.0|::)(?:\/|$)/;

export function validateCommonLink({ addresses = [], routes = [] }: CommonLink, check: Check): void {
  for (const [index, { address: value }] of addresses.entries()) {
    if (value === undefined) check.error(["addresses", index], `address ${index} must be specified`);
    else if (unspecified.test(value)) check.error(["addresses", index], `address ${index} must be a valid IP address`);
  }
  for (const [index, route] of routes.entries()) {
    const rules = [
      ["destination", "IP prefix"],
      ["gateway", "IP address"],
      ["source", "IP address"],
    ] as const;
    for (const [part, what] of rules) {
      const value = route[part];
      if (value === undefined || !unspecified.test(value)) continue;
      check.error(["routes", index, part], `route ${index} ${part} must be a valid ${what}`);
    }
  }
}
