import { document } from "../schema/document.ts";
import { parsePrefix } from "../schema/go-net.ts";
import { choice, formatted, string, unsigned } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { routingTable } from "./shared/routing-table.ts";
import { requireName } from "./shared/rules.ts";

const network = formatted("a network such as 10.0.0.0/8", parsePrefix, { type: "string" });

const actions = ["unspec", "unicast", "blackhole", "unreachable", "prohibit"] as const;

/** Priorities the kernel and KubeSpan use. */
const reserved = [0, 32_500, 32_766, 32_767];

export const routingRuleConfig = document({
  kind: "RoutingRuleConfig",
  schemaName: "network.RoutingRuleConfigV1Alpha1",
  doc: "A rule that chooses the routing table of packets.",
  name: "Priority of the rule, from 1 to 32765.",
  fields: {
    src: property(network, "Source of the packets.", { example: "10.0.0.0/8" }),
    dst: property(network, "Destination of the packets."),
    table: property(routingTable, "Routing table to use.", { always: true, required: true, example: "100" }),
    action: property(
      choice("RoutingRuleAction", actions, { zero: "unspec", json: { type: "integer" } }),
      "What happens to the packets.",
      {
        default: "unicast",
      },
    ),
    iifName: property(string(), "Link the packets come in by."),
    oifName: property(string(), "Link the packets go out by."),
    fwMark: property(unsigned("uint32"), "Firewall mark of the packets."),
    fwMask: property(unsigned("uint32"), "Bits of the mark that are compared."),
  },
  validate: (rule, check) => {
    requireName(rule, check);
    const name = rule.name ?? "";
    const isNumber = /^\d+$/.test(name) && Number(name) <= 0xffff_ffff;
    if (!isNumber) {
      const reason = /^\d+$/.test(name) ? "value out of range" : "invalid syntax";
      check.error(
        ["name"],
        `invalid name: must be priority parsable unsigned integer: strconv.ParseUint: parsing ${JSON.stringify(name)}: ${reason}`,
      );
    }
    if (reserved.includes(isNumber ? Number(name) : 0)) {
      check.error(
        ["name"],
        `priority must be between 1 and 32765 (excluding reserved priorities [${reserved.join(" ")}])`,
      );
    }
    if (rule.table === undefined && (rule.action === undefined || rule.action === "unicast")) {
      check.error(["table"], "either table or a non-unicast action must be specified");
    }
    if (rule.fwMask !== undefined && rule.fwMark === undefined)
      check.error(["fwMask"], "fwMask requires fwMark to be set");
  },
});
