import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock, type Clock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { Linux } from "@talos-ts/linux";
import { EthernetSpec, EthernetStatus, NetworkProblem } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { ethernetSpecController } from "./ethernet-spec.ts";
import { ethernetStatusController } from "./ethernet-status.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

interface Machine {
  readonly linux: Linux;
  readonly clock: Clock;
}

async function test(machine: Machine) {
  const { here } = machine.linux.networks;
  await here.createLink({ name: "eth0", info: { kind: "veth", peer: { name: "far0" } }, up: true });
  const kit = controllerTest({ register: [ethernetSpecController(machine), ethernetStatusController(machine)] });
  const assertFeature = (name: string, expected: string) =>
    kit.assertResource(EthernetStatus, "eth0", ({ spec }) =>
      assert.equal(spec.features.find((feature) => feature.name === name)?.status, expected),
    );
  return { ...kit, assertFeature };
}

async function story(machine: Machine): Promise<void> {
  await using kit = await test(machine);
  await kit.assertFeature("tx-tcp-segmentation", "on");
  const spec = createResource(
    EthernetSpec,
    "eth0",
    EthernetSpec.spec({ features: { "tx-tcp-segmentation": false, "rx-gro": false } }),
  );
  await kit.create(spec);
  await kit.assertFeature("tx-tcp-segmentation", "off");
  await kit.update(EthernetSpec, "eth0", (value) => ({ ...value, features: { "tx-tcp-segmentation": false } }));
  await kit.assertFeature("tx-tcp-segmentation", "off");
  await kit.remove(spec);
  await kit.assertFeature("tx-tcp-segmentation", "on");
}

describe("ethernetSpecController()", () => {
  it("changes features and puts them back", () => story(testMachine()));
  it("does so in the kernel", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    await story({ linux: own.linux, clock: systemClock });
  });
  it("changes rings, channels and wake-on-LAN", async () => {
    await using kit = await test(testMachine());
    const rings = { rx: 512 };
    const spec = EthernetSpec.spec({ rings, channels: { combined: 2 }, wakeOnLan: ["unicast", "magic"] });
    await kit.create(createResource(EthernetSpec, "eth0", spec));
    await kit.assertResource(EthernetStatus, "eth0", (status) => {
      assert.equal(status.spec.rings?.rx, 512);
      assert.equal(status.spec.rings.tx, 256);
      assert.equal(status.spec.channels?.combined, 2);
      assert.deepEqual(status.spec.wakeOnLAN, ["unicast", "magic"]);
    });
  });
  it("tells of a setting that the card does not take", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    await using kit = await test({ linux: own.linux, clock: systemClock });
    await kit.create(createResource(EthernetSpec, "eth0", EthernetSpec.spec({ rings: { rx: 512 } })));
    await kit.assertResource(NetworkProblem, "ethernet/eth0", ({ spec }) => assert.match(spec.reason, /EOPNOTSUPP/));
  });
});
