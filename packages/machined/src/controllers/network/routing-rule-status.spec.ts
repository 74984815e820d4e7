import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RoutingRuleStatus } from "@talos-ts/machinery/resources/network";
import { observedNetwork } from "./testing/observed-network.ts";

describe("routingRuleStatusController()", () => {
  it("shows rules by family and priority", async () => {
    await using kit = observedNetwork();
    await kit.network.addRule({ family: "inet4", priority: 100, source: "10.5.0.0/24", table: 42 });
    await kit.assertResource(RoutingRuleStatus, "inet4/00100", ({ spec }) => {
      assert.equal(spec.table, "42");
      assert.equal(spec.src, "10.5.0.0/24");
      assert.equal(spec.action, "unicast");
    });
  });
});
