import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  AddressStatus,
  HardwareAddress,
  LinkStatus,
  RouteStatus,
  RoutingRuleStatus,
} from "@talos-ts/machinery/resources/network";
import { addressStatusController } from "./address-status.ts";
import { hardwareAddressController } from "./hardware-address.ts";
import { linkStatusController } from "./link-status.ts";
import { routeStatusController } from "./route-status.ts";
import { routingRuleStatusController } from "./routing-rule-status.ts";
import { testMachine } from "./testing.ts";

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

describe("hardwareAddressController()", () => {
  it("takes the first card and nothing virtual", async () => {
    await using kit = controllerTest({ register: [hardwareAddressController()] });
    const link = (name: string, kind: string) =>
      createResource(
        LinkStatus,
        name,
        LinkStatus.spec({ type: "ether", kind, hardwareAddr: `02:00:00:00:00:0${name}` }),
      );
    await kit.create(link("1", "veth"), link("2", ""), link("3", ""));
    await kit.assertSpec(HardwareAddress, "first", { name: "2", hardwareAddr: "02:00:00:00:00:02" });
  });
});

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
