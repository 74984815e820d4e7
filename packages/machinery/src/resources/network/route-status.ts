import { defineResource, field, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { family, routeFlags, routeProtocol, routeType, routingTable, scope } from "../enums/index.ts";
import { ip, ipPrefix } from "../values/index.ts";

/** A route in the kernel. */
export const RouteStatus = defineResource({
  type: "RouteStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["route", "routes"],
  columns: [
    ["Destination", "{.dst}"],
    ["Gateway", "{.gateway}"],
    ["Link", "{.outLinkName}"],
    ["Metric", "{.priority}"],
  ],
  spec: {
    family: field(1, family),
    dst: field(2, ipPrefix),
    src: field(3, ip),
    gateway: field(4, ip),
    outLinkIndex: omitEmpty(5, uint32),
    outLinkName: omitEmpty(6, text),
    table: field(7, routingTable),
    priority: field(8, uint32),
    scope: field(9, scope),
    type: field(10, routeType),
    flags: field(11, routeFlags),
    protocol: field(12, routeProtocol),
    mtu: omitEmpty(13, uint32),
  },
});

export type RouteStatusSpec = SpecOf<typeof RouteStatus>;
