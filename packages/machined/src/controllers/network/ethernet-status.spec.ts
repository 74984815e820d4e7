import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EthernetStatus } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { ethernetStatusController } from "./ethernet-status.ts";

describe("ethernetStatusController()", () => {
  it("shows features, rings and channels of cards, and says what is fixed", async () => {
    const machine = testMachine();
    const { here } = machine.linux.networks;
    await here.createLink({ name: "eth0", info: { kind: "veth", peer: { name: "far0" } }, up: true });
    await here.createLink({ name: "br0", info: { kind: "bridge" } });
    await using kit = controllerTest({ register: [ethernetStatusController(machine)] });
    await kit.assertResource(EthernetStatus, "eth0", ({ spec }) => {
      assert.deepEqual(spec.features, [
        { name: "rx-gro", status: "on" },
        { name: "rx-vlan-filter", status: "off [fixed]" },
        { name: "tx-tcp-segmentation", status: "on" },
      ]);
      assert.partialDeepStrictEqual(spec.rings, { rx: 256, rxMax: 4096 });
      assert.equal(spec.linkState, true);
    });
    await kit.assertNoResource(EthernetStatus, "br0");
  });
});
