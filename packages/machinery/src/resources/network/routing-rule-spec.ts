import { defineResource, field, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { configLayer, family, routingRuleAction, routingTable } from "../enums/index.ts";
import { ipPrefix } from "../values/index.ts";

/** A routing rule that should be in the kernel: one per source in `network-config`, merged in `network`. */
export const RoutingRuleSpec = defineResource({
  type: "RoutingRuleSpecs.net.talos.dev",
  namespace: "network",
  spec: {
    family: field(1, family),
    src: field(2, ipPrefix),
    dst: field(3, ipPrefix),
    table: field(4, routingTable),
    priority: field(5, uint32),
    action: field(6, routingRuleAction),
    iifName: omitEmpty(7, text),
    oifName: omitEmpty(8, text),
    fwMark: omitEmpty(9, uint32),
    fwMask: omitEmpty(10, uint32),
    layer: field(11, configLayer),
  },
});

export type RoutingRuleSpecSpec = SpecOf<typeof RoutingRuleSpec>;
