import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LinkStatus } from "@talos-ts/machinery/resources/network";
import { DeviceConfigSpec } from "@talos-ts/machinery/resources/network-device";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { deviceConfigController } from "./device-config.ts";

const card = (name: string, index: number, driver: string, hardwareAddr: string) =>
  createResource(LinkStatus, name, LinkStatus.spec({ index, driver, hardwareAddr, type: "ether" }));

describe("deviceConfigController()", () => {
  it("publishes an entry for each link that its selector chooses, and one for a link that is named", async () => {
    await using kit = controllerTest({ register: [deviceConfigController()] });
    await kit.create(
      card("enp1s0", 2, "virtio_net", "02:00:00:00:00:01"),
      card("enp2s0", 3, "virtio_net", "02:00:00:00:00:02"),
      card("enp3s0", 4, "e1000", "06:00:00:00:00:03"),
      activeResource(
        mainDocument(
          "network:",
          "  interfaces:",
          "    - {interface: bond0, bond: {mode: active-backup, deviceSelectors: [{driver: virtio*}]}}",
          "    - {deviceSelector: {hardwareAddr: '06:00:*'}, mtu: 9000}",
        ),
      ),
    );
    await kit.assertResource(DeviceConfigSpec, "bond0/000", ({ spec }) =>
      assert.partialDeepStrictEqual(spec.device, { bond: { interfaces: ["enp1s0", "enp2s0"] } }),
    );
    await kit.assertResource(DeviceConfigSpec, "enp3s0/001", ({ spec }) =>
      assert.deepEqual(spec.device, { interface: "enp3s0", mtu: 9000 }),
    );
    await kit.create(card("enp4s0", 5, "e1000", "06:00:00:00:00:04"));
    await kit.assertResource(DeviceConfigSpec, "enp4s0/001");
  });
});
