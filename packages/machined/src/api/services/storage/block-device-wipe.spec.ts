import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { loadConfig } from "@talos-ts/machinery/config";
import {
  BlockDevice,
  Disk,
  VolumeStatus,
  type BlockDeviceSpec,
  type DiskSpec,
} from "@talos-ts/machinery/resources/block";
import { roles } from "@talos-ts/machinery/roles";
import { BlockDeviceWipeDescriptor_Method as Method, StorageService } from "@talos-ts/proto/storage/storage";
import { createTestNode, type TestNode } from "../../testing.ts";
import { mainDocument } from "../../../controllers/internal/testing.ts";

const mib = 1024 ** 2;

/** A machine with two disks, the first with a partition that is a volume. */
async function createDiskNode() {
  const node = await createTestNode({ mode: "metal" });
  const device = async (name: string, spec: Partial<BlockDeviceSpec>, disk?: Partial<DiskSpec>) => {
    await node.machine.state.create(createResource(BlockDevice, name, BlockDevice.spec(spec)));
    if (disk !== undefined) await node.machine.state.create(createResource(Disk, name, Disk.spec(disk)));
    node.linux.blockDevices.addDisk(`/dev/${name}`, 3 * mib).bytes.fill(1);
  };
  await device("vda", { type: "disk" }, {});
  await device("vda1", { type: "partition", parent: "vda", partitionNumber: 1 });
  await device("vda2", { type: "partition", parent: "vda", partitionNumber: 2 });
  await device("vdb", { type: "disk" }, {});
  await device("vdc", { type: "disk" }, { readonly: true });
  await device("sr0", { type: "disk" }, { cdrom: true });
  await device("vdd", { type: "disk" }, {});
  await device("vdd1", { type: "partition", parent: "vdd", partitionNumber: 1 });
  await device("dm-0", { type: "disk", secondaries: ["vdd1"] }, { secondaryDisks: ["vdd"] });
  await device("odd", { type: "tape" });
  const location = { location: "/dev/vda1", mountLocation: "/dev/vda1", parentLocation: "/dev/vda" };
  const volume = createResource(VolumeStatus, "STATE", VolumeStatus.spec({ phase: "ready", ...location }));
  await node.machine.state.create(volume);
  const bytes = (name: string): Buffer =>
    node.linux.blockDevices.devices.get(`/dev/${name}`)?.bytes ?? assert.fail(name);
  return { ...node, bytes };
}

const wipe = (node: TestNode, ...devices: readonly { readonly device: string; readonly [option: string]: unknown }[]) =>
  node.client(StorageService).blockDeviceWipe({ devices: [...devices] });

describe("blockDeviceWipe()", () => {
  it("wipes devices that nothing uses, by either method", async () => {
    await using node = await createDiskNode();
    await wipe(node, { device: "vdb" }, { device: "vda2", method: Method.ZEROES });
    assert.ok(node.bytes("vda2").every((byte) => byte === 0));
    assert.ok(
      node
        .bytes("vdb")
        .subarray(0, mib)
        .every((byte) => byte === 0),
    );
  });
  for (const [device, kind, message] of [
    ["nope", "not-found", 'blockdevice "nope" not found'],
    ["odd", "invalid-argument", 'blockdevice "odd" is of unsupported type "tape"'],
    ["vdc", "failed-precondition", 'blockdevice "vdc" is read-only'],
    ["sr0", "failed-precondition", 'blockdevice "sr0" is a CD-ROM'],
    ["vda", "failed-precondition", 'blockdevice "vda" is in use by volume "STATE"'],
    ["vda1", "failed-precondition", 'blockdevice "vda1" is in use by volume "STATE"'],
    ["vdd", "failed-precondition", 'blockdevice "vdd" is in use by disk "dm-0"'],
    ["vdd1", "failed-precondition", 'blockdevice "vdd1" is in use by blockdevice "dm-0"'],
  ] as const) {
    it(`refuses ${device} in the words of Talos, and everything else of the request with it`, async () => {
      await using node = await createDiskNode();
      await assert.rejects(wipe(node, { device: "vdb" }, { device }), { kind, message });
      assert.ok(node.bytes("vdb").every((byte) => byte === 1));
    });
  }
  it("takes a caller's word for it that a volume or another device does not matter", async () => {
    await using node = await createDiskNode();
    await wipe(node, { device: "vda1", skipVolumeCheck: true }, { device: "vdd1", skipSecondaryCheck: true });
    for (const name of ["vda1", "vdd1"]) assert.equal(node.bytes(name)[0], 0);
  });
  it("refuses what is mounted, whatever the caller says", async () => {
    await using node = await createDiskNode();
    await using _mount = await node.linux.blockDevices.open("/dev/vda1", { exclusive: true });
    await assert.rejects(wipe(node, { device: "vda1", skipVolumeCheck: true }), {
      kind: "failed-precondition",
      message: 'block device "vda1" is mounted or in use',
    });
  });
  it("refuses a method that it does not know", async () => {
    await using node = await createDiskNode();
    await assert.rejects(wipe(node, { device: "vdb", method: 7 }), { message: "unsupported wipe method 7" });
  });
  it("is for readers only until the machine is configured", async () => {
    await using node = await createDiskNode();
    const reader = node.client(StorageService, roles.reader);
    await reader.blockDeviceWipe({ devices: [{ device: "vdb" }] });
    await node.machine.config.activate(loadConfig(mainDocument()));
    await assert.rejects(reader.blockDeviceWipe({ devices: [{ device: "vdb" }] }), { message: "not authorized" });
    await wipe(node, { device: "vdb" });
  });
});
