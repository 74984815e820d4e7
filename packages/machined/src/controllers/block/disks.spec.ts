import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { BlockDevice, Disk, type BlockDeviceSpec } from "@talos-ts/machinery/resources/block";
import { disksController } from "./disks.ts";
import { blockFiles } from "./testing/block-files.ts";

const device = (name: string, type: string, rest: Partial<BlockDeviceSpec> = {}) =>
  createResource(BlockDevice, name, BlockDevice.spec({ type, ...rest }));

describe("disksController()", () => {
  it("publishes whole disks; loop devices that nobody uses have no size and are none", async () => {
    await using kit = controllerTest({ register: [disksController({ linux: blockFiles({ mapped: true }) })] });
    await kit.create(device("loop0", "disk"), device("vda1", "partition", { parent: "vda" }), device("vda", "disk"));
    await kit.create(device("dm-0", "disk", { secondaries: ["vda1"] }));
    await kit.assertResource(Disk, "vda", ({ spec }) =>
      assert.deepEqual(
        [spec.devPath, spec.size, spec.prettySize, spec.transport, spec.sectorSize],
        ["/dev/vda", 6_442_450_944, "6.4 GB", "virtio", 512],
      ),
    );
    await kit.assertResource(Disk, "dm-0", ({ spec }) => assert.deepEqual(spec.secondaryDisks, ["vda"]));
    for (const name of ["loop0", "vda1"]) await kit.assertNoResource(Disk, name);
  });
});
