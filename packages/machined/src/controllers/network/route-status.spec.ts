import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RouteStatus } from "@talos-ts/machinery/resources/network";
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

async function withVeth(kit: ReturnType<typeof test>): Promise<number> {
  const link = await kit.network.createLink({
    name: "eth0",
    info: { kind: "veth", peer: { name: "peer0" } },
    up: true,
  });
  const peer = await kit.network.link("peer0");
  assert.ok(link !== undefined && peer !== undefined);
  await kit.network.changeLink(peer.index, { up: true });
  return link.index;
}

describe("routeStatusController()", () => {
  it("shows routes by gateway and destination, the default route without one", async () => {
    await using kit = test();
    const linkIndex = await withVeth(kit);
    await kit.network.addAddress({ address: "10.5.0.2/24", linkIndex });
    await kit.network.addRoute({ gateway: "10.5.0.1", linkIndex, priority: 1024 });
    await kit.assertResource(RouteStatus, "inet4/10.5.0.1//1024", ({ spec }) => {
      assert.equal(spec.dst, "");
      assert.equal(spec.outLinkName, "eth0");
      assert.equal(spec.table, "main");
      assert.equal(spec.type, "unicast");
    });
    await kit.network.deleteRoute({ gateway: "10.5.0.1", linkIndex, priority: 1024 });
    await kit.assertNoResource(RouteStatus, "inet4/10.5.0.1//1024");
  });
});
