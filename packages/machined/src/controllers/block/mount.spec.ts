import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { MountRequest, MountStatus, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { testMachine } from "../internal/testing.ts";
import { mountController } from "./mount.ts";

const volume = (id: string, targetPath: string) =>
  createResource(
    VolumeStatus,
    id,
    VolumeStatus.spec({
      type: "directory",
      phase: "ready",
      mountSpec: { ...VolumeStatus.spec().mountSpec, targetPath, fileMode: 0o750 },
    }),
  );
const request = (volumeID: string, parentID = "") =>
  createResource(MountRequest, volumeID, MountRequest.spec({ volumeID, parentID }));

describe("mountController()", () => {
  it("makes a directory below its parent, and gives both up in the reverse order", async () => {
    await using root = await temporaryDirectory();
    await mkdir(join(root.path, "var"));
    await using kit = controllerTest({ register: [mountController(testMachine({ root: root.path }))] });
    const [parent, child] = [request("EPHEMERAL"), request("lib", "EPHEMERAL")];
    await kit.create(volume("EPHEMERAL", "/var"), volume("lib", "lib"), child);
    await kit.settled();
    await kit.assertNoResource(MountStatus, "lib");
    await kit.create(parent);
    await kit.assertResource(MountStatus, "lib", ({ spec }) => assert.equal(spec.target, "/var/lib"));
    assert.equal((await stat(join(root.path, "var/lib"))).mode & 0o777, 0o750);
    await kit.remove(child);
    await kit.assertNoResource(MountStatus, "lib");
    await kit.remove(parent);
    await kit.assertNoResource(MountStatus, "EPHEMERAL");
  });
  it("mounts a device with the options that are asked for, and changes them while it lasts", async () => {
    await using root = await temporaryDirectory();
    await mkdir(join(root.path, "var"));
    const machine = testMachine({ root: root.path });
    const targets = ["/var", "/var/data"];
    for (const path of targets) machine.linux.paths.add(path);
    await using kit = controllerTest({ register: [mountController(machine)] });
    const device = VolumeStatus.spec({
      type: "disk",
      phase: "ready",
      mountLocation: "/dev/vdb",
      filesystem: "ext4",
      mountSpec: { ...VolumeStatus.spec().mountSpec, targetPath: "data", fileMode: 0o755 },
    });
    const wanted = { volumeID: "u-data", parentID: "EPHEMERAL", secure: true };
    await kit.create(volume("EPHEMERAL", "/var"), request("EPHEMERAL"), createResource(VolumeStatus, "u-data", device));
    await kit.create(createResource(MountRequest, "u-data", MountRequest.spec(wanted)));
    await kit.assertResource(MountStatus, "u-data", ({ spec }) => assert.equal(spec.target, "/var/data"));
    const options = async () => {
      const mount = (await machine.linux.mounts.list()).find(({ target }) => target === "/var/data");
      return ["nodev", "nosuid", "noatime"].filter((option) => mount?.options.includes(option));
    };
    assert.deepEqual(await options(), ["nodev", "nosuid"]);
    await kit.update(MountRequest, "u-data", () =>
      MountRequest.spec({ ...wanted, secure: false, disableAccessTime: true }),
    );
    await kit.settled();
    assert.deepEqual(await options(), ["noatime"]);
  });
  it("goes on with other mounts when one fails, and tries that again", async () => {
    await using root = await temporaryDirectory();
    const machine = testMachine({ root: root.path });
    await using kit = controllerTest({ register: [mountController(machine)] });
    const broken = VolumeStatus.spec({
      type: "disk",
      phase: "ready",
      mountLocation: "/dev/vdb",
      filesystem: "ext4",
      mountSpec: { ...VolumeStatus.spec().mountSpec, targetPath: "/a" },
    });
    await kit.create(createResource(VolumeStatus, "a", broken), volume("b", "/b"), request("a"), request("b"));
    await kit.assertResource(MountStatus, "b");
    await kit.assertNoResource(MountStatus, "a");
    // The kernel in memory has no folder there yet.
    machine.linux.paths.add("/a");
    await kit.assertResource(MountStatus, "a");
  });
});
