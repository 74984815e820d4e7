import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressStatus } from "@talos-ts/machinery/resources/network";
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

describe("addressStatusController()", () => {
  it("shows addresses by link and prefix", async () => {
    await using kit = test();
    const linkIndex = await withVeth(kit);
    await kit.network.addAddress({ address: "10.5.0.2/24", linkIndex });
    await kit.assertResource(AddressStatus, "eth0/10.5.0.2/24", ({ spec }) => {
      assert.equal(spec.linkName, "eth0");
      assert.equal(spec.linkIndex, linkIndex);
      assert.equal(spec.family, "inet4");
      assert.equal(spec.scope, "global");
      assert.deepEqual(spec.flags, ["permanent"]);
    });
    await kit.network.deleteAddress({ address: "10.5.0.2/24", linkIndex });
    await kit.assertNoResource(AddressStatus, "eth0/10.5.0.2/24");
  });
});
