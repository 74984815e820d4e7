import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EthernetSpec } from "@talos-ts/machinery/resources/network";
import { activeResource } from "../internal/testing.ts";
import { ethernetConfigController } from "./ethernet-config.ts";

describe("ethernetConfigController()", () => {
  it("publishes the settings of a card, and only those", async () => {
    await using kit = controllerTest({ register: [ethernetConfigController()] });
    await kit.create(
      activeResource(
        `apiVersion: v1alpha1
kind: EthernetConfig
name: enp0s1
features: {rx-gro: false}
rings: {rx: 512, tx-push: true}
channels: {combined: 2}
wakeOnLan: [magic]
`,
      ),
    );
    await kit.assertSpec(
      EthernetSpec,
      "enp0s1",
      EthernetSpec.spec({
        features: { "rx-gro": false },
        rings: { rx: 512, txPush: true },
        channels: { combined: 2 },
        wakeOnLan: ["magic"],
      }),
    );
  });
});
