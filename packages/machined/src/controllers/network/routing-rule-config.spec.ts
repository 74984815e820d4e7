import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RoutingRuleSpec } from "@talos-ts/machinery/resources/network";
import { activeResource } from "../internal/testing.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { routingRuleConfigController } from "./routing-rule-config.ts";

describe("routingRuleConfigController()", () => {
  it("publishes a rule of the family of its network, and one for each family without a network", async () => {
    await using kit = controllerTest({ register: [routingRuleConfigController()] });
    await kit.create(
      activeResource(
        'apiVersion: v1alpha1\nkind: RoutingRuleConfig\nname: "1000"\nsrc: 10.0.0.0/8\ntable: "100"\n',
        'apiVersion: v1alpha1\nkind: RoutingRuleConfig\nname: "1001"\ntable: "101"\nfwMark: 7\nfwMask: 15\n',
      ),
    );
    await kit.assertResource(
      RoutingRuleSpec,
      "configuration/inet4/01000",
      ({ spec }) =>
        assert.partialDeepStrictEqual(spec, { src: "10.0.0.0/8", table: "100", action: "unicast", priority: 1000 }),
      { namespace },
    );
    await kit.assertNoResource(RoutingRuleSpec, "configuration/inet6/01000", { namespace });
    for (const family of ["inet4", "inet6"]) {
      await kit.assertResource(
        RoutingRuleSpec,
        `configuration/${family}/01001`,
        ({ spec }) => assert.partialDeepStrictEqual(spec, { family, fwMark: 7, fwMask: 15, layer: "configuration" }),
        { namespace },
      );
    }
  });
});
