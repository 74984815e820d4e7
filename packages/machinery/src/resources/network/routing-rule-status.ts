import { defineResource, field, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { family, routingRuleAction, routingTable } from "../enums/index.ts";
import { ipPrefix } from "../values/index.ts";

/** A routing rule in the kernel. */
export const RoutingRuleStatus = defineResource({
  type: "RoutingRuleStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["routingrule", "routingrules"],
  columns: [
    ["Src", "{.src}"],
    ["Dst", "{.dst}"],
    ["Table", "{.table}"],
    ["Priority", "{.priority}"],
  ],
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
  },
});

export type RoutingRuleStatusSpec = SpecOf<typeof RoutingRuleStatus>;
