import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { BlockDevice } from "@talos-ts/machinery/resources/block";
import { testMachine } from "../internal/testing.ts";
import { devicesController } from "./devices.ts";
import { blockFiles } from "./testing/block-files.ts";

describe("devicesController()", () => {
  it("publishes devices, and counts the changes that the kernel announces", async () => {
    const machine = { ...testMachine({ platform: { mode: "metal" } }), linux: blockFiles({ mapped: true }) };
    await using kit = controllerTest({ register: [devicesController(machine)] });
    await kit.assertResource(BlockDevice, "vda1", ({ spec }) =>
      assert.deepEqual([spec.type, spec.parent, spec.partitionNumber, spec.generation], ["partition", "vda", 1, 1]),
    );
    await kit.assertResource(BlockDevice, "dm-0", ({ spec }) => assert.deepEqual(spec.secondaries, ["vda1"]));
    const devicePath = "/devices/pci0000:00/0000:00:03.0/virtio1/block/vda";
    machine.linux.uevents.emit({ action: "change", devicePath, subsystem: "block", values: new Map() });
    await kit.assertResource(BlockDevice, "vda", ({ spec }) => assert.equal(spec.generation, 2));
  });
  it("leaves those of a container to the host", async () => {
    const machine = { ...testMachine(), linux: blockFiles() };
    await using kit = controllerTest({ register: [devicesController(machine)] });
    await kit.settled();
    await kit.assertNoResource(BlockDevice, "vda");
  });
});
