import { defineResource, field, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { configLayer, family, routeFlags, routeProtocol, routeType, routingTable, scope } from "../enums/index.ts";
import { ip, ipPrefix } from "../values/index.ts";

/** A route that should be in the kernel: one per source in `network-config`, merged in `network`. */
export const RouteSpec = defineResource({
  type: "RouteSpecs.net.talos.dev",
  namespace: "network",
  spec: {
    family: field(1, family),
    dst: field(2, ipPrefix),
    src: field(3, ip),
    gateway: field(4, ip),
    outLinkName: omitEmpty(5, text),
    table: field(6, routingTable),
    priority: omitEmpty(7, uint32),
    scope: field(8, scope),
    type: field(9, routeType),
    flags: field(10, routeFlags),
    protocol: field(11, routeProtocol),
    layer: field(12, configLayer),
    mtu: omitEmpty(13, uint32),
  },
});

export type RouteSpecSpec = SpecOf<typeof RouteSpec>;
