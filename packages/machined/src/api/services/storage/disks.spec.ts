import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Disk, SystemDisk } from "@talos-ts/machinery/resources/block";
import { Disk_DiskType, StorageService } from "@talos-ts/proto/storage/storage";
import { createTestNode } from "../../testing.ts";

describe("disks()", () => {
  it("shows the disks that were found; a container has none", async () => {
    await using node = await createTestNode();
    const list = async () => (await node.client(StorageService).disks({})).messages[0]?.disks;
    assert.deepEqual(await list(), []);
    const disk = Disk.spec({ devPath: "/dev/sda", size: 1024, rotational: true, model: "M" });
    await node.machine.state.create(createResource(Disk, "sda", disk));
    const system = SystemDisk.spec({ diskID: "sda", devPath: "/dev/sda" });
    await node.machine.state.create(createResource(SystemDisk, "system-disk", system));
    const [found] = (await list()) ?? [];
    assert.equal(found?.type, Disk_DiskType.HDD);
    assert.equal(found.size, 1024n);
    assert.equal(found.systemDisk, true);
  });
});

describe("blockDeviceWipe()", () => {
  it("is refused in a container, which has no disks of its own", async () => {
    await using node = await createTestNode();
    await assert.rejects(node.client(StorageService).blockDeviceWipe({ devices: [{ device: "sda" }] }), {
      kind: "failed-precondition",
      message: "method is not supported in container mode",
    });
  });
});
