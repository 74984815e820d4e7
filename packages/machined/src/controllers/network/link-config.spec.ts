import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LinkSpec, LinkStatus, type LinkSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { deviceConfigController } from "./device-config.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { linkConfigController } from "./link-config.ts";

const document = (kind: string, name: string, ...lines: readonly string[]): string =>
  [`apiVersion: v1alpha1`, `kind: ${kind}`, `name: ${name}`, ...lines, ""].join("\n");

const card = (name: string, index: number, alias = "") =>
  createResource(LinkStatus, name, LinkStatus.spec({ index, alias, type: "ether" }));

function test() {
  const kit = controllerTest({ register: [deviceConfigController(), linkConfigController()] });
  const assertLink = (id: string, expected: Partial<LinkSpecSpec>) =>
    kit.assertResource(LinkSpec, id, ({ spec }) => assert.partialDeepStrictEqual(spec, expected), { namespace });
  return { ...kit, assertLink };
}

describe("linkConfigController()", () => {
  it("makes one spec of a link and of what it is a port of, by name or alias", async () => {
    await using kit = test();
    await kit.create(card("enp1s0", 2, "uplink"), card("enp2s0", 3), card("enp9s0", 4));
    await kit.create(
      activeResource(
        document("LinkConfig", "uplink", "mtu: 9000"),
        document("LinkConfig", "enp9s0", "up: false"),
        document(
          "BondConfig",
          "bond0",
          "links: [uplink, enp2s0]",
          "bondMode: 802.3ad",
          "miimon: 100",
          "lacpRate: fast",
        ),
        document("VLANConfig", "bond0.5", "parent: bond0", "vlanID: 5"),
        document("BridgeConfig", "br0", "links: [bond0.5]", "stp: {enabled: true}"),
        document("VRFConfig", "vrf0", "links: [br0]", 'table: "123"'),
        document("DummyLinkConfig", "dummy0", "hardwareAddr: 02:00:00:00:00:09"),
      ),
    );
    const slave = (masterName: string, slaveIndex: number) => ({ bondSlave: { masterName, slaveIndex } });
    await kit.assertLink("configuration/enp1s0", { mtu: 9000, up: true, logical: false, ...slave("bond0", 0) });
    await kit.assertLink("configuration/enp2s0", slave("bond0", 1));
    await kit.assertLink("configuration/enp9s0", { up: false });
    await kit.assertLink("configuration/bond0.5", {
      logical: true,
      kind: "vlan",
      parentName: "bond0",
      vlan: { vlanID: 5, vlanProtocol: "802.1q" },
      bridgeSlave: { masterName: "br0" },
    });
    await kit.assertLink("configuration/br0", { kind: "bridge", vrfSlave: { masterName: "vrf0" } });
    await kit.assertLink("configuration/vrf0", { kind: "vrf", vrfMaster: { table: "123" } });
    await kit.assertLink("configuration/dummy0", { kind: "dummy", hardwareAddr: "02:00:00:00:00:09" });
    const { spec } = await kit.assertLink("configuration/bond0", { kind: "bond", type: "ether" });
    assert.partialDeepStrictEqual(spec.bondMaster, { mode: "802.3ad", miimon: 100, lacpRate: "fast", missedMax: 2 });
  });
  it("understands machine.network.interfaces", async () => {
    await using kit = test();
    await kit.create(
      card("eth0", 2),
      activeResource(
        mainDocument(
          "network:",
          "  interfaces:",
          "    - {interface: eth0, mtu: 1400, vlans: [{vlanId: 7, mtu: 1300}], bridgePort: {master: br0}}",
          "    - {interface: br0, bridge: {interfaces: [eth1], stp: {enabled: true}}}",
          "    - {interface: bond0, bond: {interfaces: [eth2], mode: active-backup, primary: eth0}}",
          "    - {interface: d0, dummy: true}",
        ),
      ),
    );
    await kit.assertLink("configuration/eth0", { mtu: 1400, bridgeSlave: { masterName: "br0" } });
    await kit.assertLink("configuration/eth0.7", { kind: "vlan", parentName: "eth0", mtu: 1300 });
    await kit.assertLink("configuration/eth1", { bridgeSlave: { masterName: "br0" } });
    await kit.assertLink("configuration/d0", { kind: "dummy", logical: true });
    const { spec } = await kit.assertLink("configuration/bond0", { kind: "bond" });
    assert.partialDeepStrictEqual(spec.bondMaster, { mode: "active-backup", primary: 2 });
  });
  it("brings up the loopback and cards that the configuration does not mention", async () => {
    await using kit = test();
    await kit.create(
      card("eth0", 2),
      card("eth1", 3),
      createResource(LinkStatus, "veth1", LinkStatus.spec({ index: 4, type: "ether", kind: "veth" })),
      activeResource(mainDocument("network:", "  interfaces:", "    - {interface: eth1, ignore: true}")),
    );
    await kit.assertLink("default/eth0", { up: true, layer: "default" });
    await kit.assertNoResource(LinkSpec, "default/eth1", { namespace });
    await kit.assertNoResource(LinkSpec, "configuration/eth1", { namespace });
    await kit.assertNoResource(LinkSpec, "default/veth1", { namespace });
  });
});
