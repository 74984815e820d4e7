import { addressOf, maskPrefix, prefixContains } from "@talos-ts/base/net";
import { createResource, type Resource } from "@talos-ts/cosi";
import {
  AddressSpec,
  HostnameSpec,
  LinkSpec,
  ResolverSpec,
  RouteSpec,
  TimeServerSpec,
  type OperatorSpecSpec,
} from "@talos-ts/machinery/resources/network";
import type { Lease } from "../../../dhcp/lease.ts";
import { addressId, configNamespace, operatorId, routeId } from "./resource-ids.ts";

/** Returns what a lease says about the network, as specs of the operator layer. */
export function leaseSpecs(operator: OperatorSpecSpec, lease: Lease): readonly Resource[] {
  const { linkName } = operator;
  const v6 = operator.operator === "dhcp6";
  const settings = v6 ? operator.dhcp6 : operator.dhcp4;
  const layer = "operator";
  const id = (rest: string): string => `${operatorId(operator)}/${rest}`;
  const at = { namespace: configNamespace };
  const address = AddressSpec.spec({
    address: lease.address,
    linkName,
    family: v6 ? "inet6" : "inet4",
    scope: "global",
    flags: ["permanent"],
    priority: settings.routeMetric,
    layer,
  });
  const route = (destination: string, gateway: string) =>
    RouteSpec.spec({
      family: "inet4",
      dst: destination,
      src: addressOf(lease.address),
      gateway,
      outLinkName: linkName,
      table: "main",
      priority: settings.routeMetric,
      scope: gateway === "" ? "link" : "global",
      type: "unicast",
      protocol: "dhcp",
      layer,
    });
  const routes = lease.routes.flatMap(({ destination, gateway }) => [
    // A gateway outside the network of the address needs a way of its own.
    ...(gateway === "" || prefixContains(maskPrefix(lease.address), gateway) ? [] : [route(`${gateway}/32`, "")]),
    route(destination, gateway),
  ]);
  const named = lease.hostname !== "" && !settings.skipHostnameRequest;
  const [hostname = "", ...rest] = lease.hostname.split(".");
  const domainname = rest.length > 0 ? rest.join(".") : lease.domain;
  return [
    createResource(AddressSpec, id(addressId(linkName, lease.address)), address, at),
    ...[...new Map(routes.map((spec) => [routeId(spec), spec]))].map(([key, spec]) =>
      createResource(RouteSpec, id(key), spec, at),
    ),
    ...(lease.mtu === 0
      ? []
      : [
          createResource(
            LinkSpec,
            id(linkName),
            LinkSpec.spec({ name: linkName, up: true, mtu: lease.mtu, layer }),
            at,
          ),
        ]),
    ...(named
      ? [createResource(HostnameSpec, id("hostname"), HostnameSpec.spec({ hostname, domainname, layer }), at)]
      : []),
    ...(lease.dnsServers.length === 0
      ? []
      : [
          createResource(
            ResolverSpec,
            id("resolvers"),
            ResolverSpec.spec({ dnsServers: lease.dnsServers, searchDomains: lease.searchDomains, layer }),
            at,
          ),
        ]),
    ...(lease.timeServers.length === 0
      ? []
      : [
          createResource(
            TimeServerSpec,
            id("timeservers"),
            TimeServerSpec.spec({ timeServers: lease.timeServers, layer }),
            at,
          ),
        ]),
  ];
}
