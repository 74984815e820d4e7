import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RoutingRuleStatus } from "@talos-ts/machinery/resources/network";
import { addressStatusController } from "./address-status.ts";
import { linkStatusController } from "./link-status.ts";
import { routeStatusController } from "./route-status.ts";
import { routingRuleStatusController } from "./routing-rule-status.ts";
import { testMachine } from "../internal/testing.ts";

function test() {
  const machine = testMachine();
  const register = [
    addressStatusController(machine),
    linkStatusController(machine),
    routeStatusController(machine),
    routingRuleStatusController(machine),
  ];
  return { network: machine.linux.networks.here, ...controllerTest({ register }) };
}

describe("routingRuleStatusController()", () => {
  it("shows rules by family and priority", async () => {
    await using kit = test();
    await kit.network.addRule({ family: "inet4", priority: 100, source: "10.5.0.0/24", table: 42 });
    await kit.assertResource(RoutingRuleStatus, "inet4/00100", ({ spec }) => {
      assert.equal(spec.table, "42");
      assert.equal(spec.src, "10.5.0.0/24");
      assert.equal(spec.action, "unicast");
    });
  });
});
