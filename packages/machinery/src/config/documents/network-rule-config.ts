import { document } from "../schema/document.ts";
import { prefix } from "../schema/formats.ts";
import { choice } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";
import { portRange, portRangesProblem } from "./shared/port-range.ts";
import { requireName } from "./shared/rules.ts";

const portSelector = object("network.RulePortSelector", "Ports of a rule.", {
  ports: property(array(portRange), "Ports, each a number or a range.", {
    always: true,
    replace: true,
    example: ["10250", "2379-2380"],
  }),
  protocol: property(choice("Protocol", ["tcp", "udp", "icmp", "icmpv6"]), "Protocol of the ports."),
});

const ingressRule = object("network.IngressRule", "Where traffic may come from.", {
  subnet: property(prefix, "Network traffic may come from.", { always: true, example: "10.3.4.0/24" }),
  except: property(prefix, "Part of the network it may not come from."),
});

export const networkRuleConfig = document({
  kind: "NetworkRuleConfig",
  schemaName: "network.RuleConfigV1Alpha1",
  doc: "A rule of the ingress firewall.",
  name: "Name of the rule.",
  fields: {
    portSelector: property(portSelector, "Ports the rule is about.", { always: true, inlineStruct: true }),
    ingress: property(array(ingressRule), "Where traffic to the ports may come from.", { always: true, replace: true }),
  },
  validate: (rule, check) => {
    requireName(rule, check, "name is required");
    const ports = rule.portSelector?.ports ?? [];
    const problem = ports.length === 0 ? "portSelector.ports is required" : portRangesProblem(ports);
    if (problem !== undefined) check.error(["portSelector", "ports"], problem);
    for (const [index, { subnet }] of (rule.ingress ?? []).entries()) {
      if (subnet === undefined) check.error(["ingress", index], "invalid subnet: invalid Prefix");
    }
  },
});
