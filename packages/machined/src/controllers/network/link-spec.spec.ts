import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock, type Clock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { kernelError, type Linux } from "@talos-ts/linux";
import { LinkStatus, NetworkProblem, type LinkStatusSpec } from "@talos-ts/machinery/resources/network";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { activeResource, testMachine } from "../internal/testing.ts";
import { deviceConfigController } from "./device-config.ts";
import { linkConfigController } from "./link-config.ts";
import { linkMergeController } from "./link-merge.ts";
import { linkSpecController } from "./link-spec.ts";
import { linkStatusController } from "./link-status.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");

interface Machine {
  readonly linux: Linux;
  readonly clock: Clock;
}

const document = (kind: string, name: string, ...lines: readonly string[]): string =>
  [`apiVersion: v1alpha1`, `kind: ${kind}`, `name: ${name}`, ...lines, ""].join("\n");

function test(machine: Machine) {
  const register = [
    deviceConfigController(),
    linkConfigController(),
    linkMergeController(),
    linkSpecController(machine),
    linkStatusController(machine),
  ];
  const kit = controllerTest({ register });
  const assertLink = (name: string, check: (spec: LinkStatusSpec) => void) =>
    kit.assertResource(LinkStatus, name, ({ spec }) => check(spec));
  const configure = (...documents: readonly string[]) =>
    kit.update(MachineConfig, MachineConfig.ids.active, () => documents.join("---\n"));
  return { ...kit, assertLink, configure };
}

/** A bridge with two ports, of which one is changed; then nothing of it is left. */
async function bridgeStory(machine: Machine): Promise<void> {
  const network = machine.linux.networks.here;
  for (const [name, peer] of [
    ["port0", "far0"],
    ["port1", "far1"],
  ] as const) {
    await network.createLink({ name, info: { kind: "veth", peer: { name: peer } } });
  }
  const other = await network.createLink({ name: "other0", info: { kind: "bridge" } });
  assert.ok(other);
  await using kit = test(machine);
  const port = document("LinkConfig", "port0", "mtu: 1400");
  await kit.create(
    activeResource(port, document("BridgeConfig", "br0", "links: [port0, port1]", "stp: {enabled: true}", "mtu: 1400")),
  );
  const { spec: bridge } = await kit.assertLink("br0", (spec) => {
    assert.equal(spec.kind, "bridge");
    assert.equal(spec.bridgeMaster.stp.enabled, true);
    assert.ok(spec.flags.includes("UP"));
  });
  for (const name of ["port0", "port1"]) {
    await kit.assertLink(name, (spec) => {
      assert.equal(spec.masterIndex, bridge.index);
      assert.ok(spec.flags.includes("UP"));
    });
  }
  await kit.assertLink("port0", ({ mtu }) => assert.equal(mtu, 1400));

  await kit.configure(port, document("BridgeConfig", "br0", "links: [port0]"));
  await kit.assertLink("br0", (spec) => {
    assert.equal(spec.index, bridge.index, "a bridge is changed, not made anew");
    assert.equal(spec.bridgeMaster.stp.enabled, false);
  });
  await kit.assertLink("port1", ({ masterIndex }) => assert.equal(masterIndex, 0));

  await kit.configure(document("LinkConfig", "far1", "mtu: 1300"), document("BridgeConfig", "other0", "links: []"));
  await kit.assertLink("far1", ({ mtu }) => assert.equal(mtu, 1300));
  await kit.assertNoResource(LinkStatus, "br0");
  await kit.assertLink("port0", ({ mtu, masterIndex }) => assert.deepEqual([mtu, masterIndex], [1500, 0]));

  await kit.remove(activeResource());
  await kit.assertLink("far1", ({ mtu }) => assert.equal(mtu, 1500));
  await kit.settled();
  assert.equal((await network.link("other0"))?.index, other.index, "a bridge of somebody else stays");
}

describe("linkSpecController()", () => {
  it("makes a bridge, its ports and their settings, changes them, and puts everything back", () =>
    bridgeStory(testMachine()));
  it("does so in the kernel", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    await bridgeStory({ linux: own.linux, clock: systemClock });
  });
  it("makes bonds, VLANs, VRFs and dummies in order, and anew when they cannot change", async () => {
    const machine = testMachine();
    const network = machine.linux.networks.here;
    await network.createLink({ name: "eth1", info: { kind: "veth", peer: { name: "far1" } } });
    await using kit = test(machine);
    const documents = (id: number, mode: string) => [
      document("VLANConfig", "a-vlan", "parent: bond0", `vlanID: ${String(id)}`),
      document("BondConfig", "bond0", "links: [eth1]", `bondMode: ${mode}`, "miimon: 100", "updelay: 200"),
      document("VRFConfig", "vrf0", "links: [a-vlan]", 'table: "123"'),
      document("DummyLinkConfig", "dummy0", "hardwareAddr: 02:00:00:00:00:09"),
    ];
    await kit.create(activeResource(...documents(5, "active-backup")));
    const { spec: bond } = await kit.assertLink("bond0", ({ bondMaster }) => {
      assert.partialDeepStrictEqual(bondMaster, { mode: "active-backup", miimon: 100, updelay: 200, useCarrier: true });
    });
    await kit.assertLink("eth1", ({ masterIndex }) => assert.equal(masterIndex, bond.index));
    await kit.assertLink("dummy0", ({ hardwareAddr }) => assert.equal(hardwareAddr, "02:00:00:00:00:09"));
    const { spec: vrf } = await kit.assertLink("vrf0", ({ vrfMaster }) => assert.equal(vrfMaster.table, "123"));
    await kit.assertLink("a-vlan", (spec) => {
      assert.deepEqual([spec.linkIndex, spec.masterIndex, spec.vlan.vlanID], [bond.index, vrf.index, 5]);
    });
    await kit.configure(...documents(6, "balance-xor"));
    const { spec: changed } = await kit.assertLink("bond0", ({ bondMaster }) =>
      assert.equal(bondMaster.mode, "balance-xor"),
    );
    await kit.assertLink("eth1", ({ masterIndex }) => assert.equal(masterIndex, changed.index));
    await kit.assertLink("a-vlan", (spec) => {
      assert.deepEqual([spec.linkIndex, spec.vlan.vlanID], [changed.index, 6]);
    });
    await kit.remove(activeResource());
    for (const name of ["bond0", "a-vlan", "vrf0", "dummy0"]) await kit.assertNoResource(LinkStatus, name);
    await kit.assertLink("eth1", ({ masterIndex }) => assert.equal(masterIndex, 0));
  });
  it("tells of a setting that the kernel refuses, and makes the others", async () => {
    const machine = testMachine();
    const network = machine.linux.networks.here;
    const change = network.changeLink.bind(network);
    const refusing = Object.assign(network, {
      changeLink: (index: number, changes: Parameters<typeof change>[1]) =>
        changes.info?.kind === "bridge" && changes.info.vlanFiltering === true
          ? Promise.reject(kernelError({ area: "netlink", action: "change link", errno: "EOPNOTSUPP" }))
          : change(index, changes),
    });
    await using kit = test({
      ...machine,
      linux: { ...machine.linux, networks: { ...machine.linux.networks, here: refusing } },
    });
    await kit.create(
      activeResource(document("BridgeConfig", "br0", "links: []", "vlan: {filtering: true}", "mtu: 1400")),
    );
    await kit.assertLink("br0", (spec) => {
      assert.equal(spec.mtu, 1400);
      assert.ok(spec.flags.includes("UP"));
    });
    await kit.assertResource(NetworkProblem, "link/br0");
  });
  it("tells of a name that somebody else's link has", async () => {
    const machine = testMachine();
    await machine.linux.networks.here.createLink({ name: "x0", info: { kind: "veth", peer: { name: "x1" } } });
    await using kit = test(machine);
    await kit.create(activeResource(document("DummyLinkConfig", "x0"), document("DummyLinkConfig", "x2")));
    await kit.assertResource(LinkStatus, "x2");
    await kit.assertResource(NetworkProblem, "link/x0", ({ spec }) =>
      assert.equal(
        spec.reason,
        'Cannot create link "x0" of kind "dummy": a link of that name exists, is of kind "veth", and was not made from the configuration',
      ),
    );
    await kit.configure(document("DummyLinkConfig", "x2"));
    await kit.assertNoResource(NetworkProblem, "link/x0");
  });
  it("tells of kinds that the kernel lacks, and makes the others", { skip: cannotOwnNetwork }, async (context) => {
    await using own = await createOwnNetwork();
    const lacking = await own.network.createLink({ name: "try0", info: { kind: "dummy" } }).then(
      () => false,
      () => true,
    );
    if (!lacking) return context.skip("this kernel has dummy links");
    await using kit = test({ linux: own.linux, clock: systemClock });
    await kit.create(
      activeResource(document("DummyLinkConfig", "dummy0"), document("BridgeConfig", "z0", "links: []")),
    );
    await kit.assertResource(LinkStatus, "z0");
    await kit.assertResource(NetworkProblem, "link/dummy0", ({ spec }) =>
      assert.equal(spec.reason, 'Cannot create link "dummy0": the kernel of this machine has no links of kind "dummy"'),
    );
  });

  it("makes WireGuard links with their keys and peers, and changes only what differs", async () => {
    const machine = testMachine();
    const { wireguard } = machine.linux.networks.here;
    await using kit = test(machine);
    const link = (peer: string) =>
      document(
        "WireguardConfig",
        "wg0",
        `privateKey: ${key(1)}`,
        "listenPort: 51820",
        "peers:",
        `  - publicKey: ${peer}`,
        "    endpoint: 192.0.2.1:51820",
        "    persistentKeepaliveInterval: 25s",
        "    allowedIPs: [10.9.0.0/16]",
      );
    await kit.create(activeResource(link(key(2))));
    const { spec } = await kit.assertLink("wg0", (status) => {
      assert.equal(status.wireguard.peers[0]?.publicKey, key(2));
      assert.ok(status.flags.includes("UP"));
    });
    assert.equal(spec.kind, "wireguard");
    assert.deepEqual(spec.wireguard, {
      privateKey: "",
      publicKey: "pOCSkrZRwni5dyxWn1+puxPZBrRqtoyd+dwrRAn4ogk=",
      listenPort: 51_820,
      firewallMark: 0,
      peers: [
        {
          publicKey: key(2),
          presharedKey: "",
          endpoint: "192.0.2.1:51820",
          persistentKeepaliveIntervalMs: 25_000,
          allowedIPs: ["10.9.0.0/16"],
        },
      ],
    });
    // The peer roams: that is no reason to send it back.
    const device = await wireguard.device(spec.index);
    const roamed = device.peers.map((peer) => Object.assign({}, peer, { endpoint: "198.51.100.7:4000" }));
    await wireguard.configure(spec.index, { ...device, peers: roamed });
    await kit.settled();
    assert.equal((await wireguard.device(spec.index)).peers[0]?.endpoint, "198.51.100.7:4000");
    await kit.configure(link(key(3)));
    await kit.assertLink("wg0", (status) => assert.equal(status.wireguard.peers[0]?.publicKey, key(3)));
    await kit.configure(document("LinkConfig", "other0", "mtu: 1400"));
    await kit.assertNoResource(LinkStatus, "wg0");
  });

  it("says when the kernel has no WireGuard, and goes on", async () => {
    const machine = testMachine();
    const network = machine.linux.networks.here;
    const here = {
      ...network,
      createLink: () => Promise.reject(kernelError({ area: "netlink", action: "create link", errno: "EOPNOTSUPP" })),
    };
    const linux = { ...machine.linux, networks: { ...machine.linux.networks, here } };
    await using kit = test({ ...machine, linux });
    await kit.create(activeResource(document("WireguardConfig", "wg0", `privateKey: ${key(1)}`)));
    await kit.assertResource(NetworkProblem, "link/wg0", ({ spec }) =>
      assert.match(JSON.stringify(spec), /no links of kind \\"wireguard\\"/),
    );
  });
});
