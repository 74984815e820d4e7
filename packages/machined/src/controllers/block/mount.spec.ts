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
});
