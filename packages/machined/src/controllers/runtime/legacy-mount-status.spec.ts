import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MountStatus, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { RuntimeMountStatus } from "@talos-ts/machinery/resources/runtime";
import { legacyMountStatusController } from "./legacy-mount-status.ts";

describe("legacyMountStatusController()", () => {
  it("shows mounted partitions, and no directories", async () => {
    await using test = controllerTest({ register: [legacyMountStatusController()] });
    const mount = (volumeID: string) =>
      createResource(
        MountStatus,
        volumeID,
        MountStatus.spec({ spec: { volumeID }, source: "/dev/sda5", target: "/system/state" }),
      );
    await test.create(
      createResource(VolumeStatus, "STATE", VolumeStatus.spec({ type: "partition", filesystem: "xfs" })),
      createResource(VolumeStatus, "EPHEMERAL", VolumeStatus.spec({ type: "directory" })),
      mount("STATE"),
      mount("EPHEMERAL"),
    );
    await test.assertResource(RuntimeMountStatus, "STATE", ({ spec }) =>
      assert.deepEqual(
        [spec.source, spec.target, spec.filesystemType, spec.encrypted],
        ["/dev/sda5", "/system/state", "xfs", false],
      ),
    );
    await test.assertNoResource(RuntimeMountStatus, "EPHEMERAL");
  });
});
