import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { DiscoveredVolume, SystemDisk } from "@talos-ts/machinery/resources/block";
import { systemDiskController } from "./system-disk.ts";

describe("systemDiskController()", () => {
  it("is the disk with a META partition", async () => {
    await using kit = controllerTest({ register: [systemDiskController()] });
    const meta = createResource(
      DiscoveredVolume,
      "vdb1",
      DiscoveredVolume.spec({ parent: "vdb", parentDevPath: "/dev/vdb", partitionLabel: "META" }),
    );
    await kit.create(createResource(DiscoveredVolume, "vda", DiscoveredVolume.spec({ label: "META" })), meta);
    await kit.assertResource(SystemDisk, SystemDisk.id, ({ spec }) =>
      assert.deepEqual(spec, { diskID: "vdb", devPath: "/dev/vdb" }),
    );
    await kit.remove(meta);
    await kit.assertNoResource(SystemDisk, SystemDisk.id);
  });
});
