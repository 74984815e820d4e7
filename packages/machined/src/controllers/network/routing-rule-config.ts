import { isIPv6 } from "@talos-ts/base/net";
import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { documentsOf, routingRuleConfig, type DocumentOf } from "@talos-ts/machinery/config";
import { RoutingRuleSpec, type RoutingRuleSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { configNamespace, layeredId, routingRuleId } from "./internal/resource-ids.ts";

type RoutingRule = DocumentOf<typeof routingRuleConfig>;

/** Routing rules of the configuration. A rule that names no network is for both families. */
export function routingRuleConfigController(): Controller {
  return reduceController({
    name: "network.RoutingRuleConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(RoutingRuleSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const specs = (config === undefined ? [] : documentsOf(config, routingRuleConfig)).flatMap(rulesOf);
      return specs.map((spec) =>
        createResource(RoutingRuleSpec, layeredId(spec.layer, routingRuleId(spec.family, spec.priority)), spec, {
          namespace: configNamespace,
        }),
      );
    },
  });
}

function rulesOf(rule: RoutingRule): readonly RoutingRuleSpecSpec[] {
  const { name = "", src = "", dst = "", table = "unspec", action = "unicast" } = rule;
  const network = src === "" ? dst : src;
  const families =
    network === "" ? (["inet4", "inet6"] as const) : isIPv6(network) ? (["inet6"] as const) : (["inet4"] as const);
  return families.map((family) =>
    RoutingRuleSpec.spec({
      family,
      src,
      dst,
      table: table as RoutingRuleSpecSpec["table"],
      priority: Number(name),
      action: action === "unspec" ? "unicast" : action,
      iifName: rule.iifName ?? "",
      oifName: rule.oifName ?? "",
      fwMark: rule.fwMark ?? 0,
      fwMask: rule.fwMask ?? 0,
      layer: "configuration",
    }),
  );
}
