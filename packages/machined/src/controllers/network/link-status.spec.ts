import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LinkStatus } from "@talos-ts/machinery/resources/network";
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

describe("linkStatusController()", () => {
  it("shows links as they come, change and go", async () => {
    await using kit = test();
    await kit.assertResource(LinkStatus, "lo", ({ spec }) => {
      assert.equal(spec.type, "loopback");
      assert.equal(spec.duplex, "Unknown");
    });
    const index = await withVeth(kit);
    await kit.assertResource(LinkStatus, "eth0", ({ spec }) => {
      assert.equal(spec.kind, "veth");
      assert.equal(spec.operationalState, "up");
      assert.equal(spec.linkState, true);
      assert.ok(spec.flags.includes("UP"));
    });
    await kit.network.changeLink(index, { mtu: 1400 });
    await kit.assertResource(LinkStatus, "eth0", ({ spec }) => assert.equal(spec.mtu, 1400));
    await kit.network.deleteLink(index);
    await kit.assertNoResource(LinkStatus, "eth0");
  });
});
