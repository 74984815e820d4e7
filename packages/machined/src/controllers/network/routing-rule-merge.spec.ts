import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RoutingRuleSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { routingRuleMergeController } from "./routing-rule-merge.ts";

const from = (id: string, spec: Parameters<typeof RoutingRuleSpec.spec>[0]) =>
  createResource(RoutingRuleSpec, id, RoutingRuleSpec.spec(spec), { namespace: configNamespace });

describe("routingRuleMergeController()", () => {
  it("takes the highest layer per family and priority", async () => {
    await using kit = controllerTest({ register: [routingRuleMergeController()] });
    const configured = from("configuration/r", {
      family: "inet4",
      priority: 100,
      src: "10.0.0.0/8",
      layer: "configuration",
    });
    await kit.create(from("default/r", { family: "inet4", priority: 100, layer: "default" }), configured);
    await kit.assertSpec(RoutingRuleSpec, "inet4/00100", configured.spec);
  });
});
