import assert from "node:assert/strict";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  MountStatus,
  VolumeConfig,
  VolumeMountRequest,
  VolumeMountStatus,
  VolumeStatus,
} from "@talos-ts/machinery/resources/block";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { volumeControllers } from "./testing/volume-controllers.ts";
import { userVolumeConfigController } from "./user-volume-config.ts";

const document = (volume: string, volumeType: string): string =>
  `---\napiVersion: v1alpha1\nkind: UserVolumeConfig\nname: ${volume}\nvolumeType: ${volumeType}\n`;

describe("block.UserVolumeConfigController", () => {
  it("asks for volumes that are directories, and for their mounts", async () => {
    await using test = controllerTest({ register: [userVolumeConfigController()] });
    const config = activeResource(mainDocument() + document("data", "directory") + document("disk", "partition"));
    await test.create(config);
    await test.assertResource(VolumeConfig, "u-data", ({ metadata, spec }) => {
      assert.deepEqual(metadata.labels, { "talos.dev/user-volume": "" });
      assert.equal(spec.type, "directory");
      assert.partialDeepStrictEqual(spec.mount, { targetPath: "data", parentId: "/var/mnt", fileMode: 0o755 });
    });
    await test.assertResource(VolumeMountRequest, "u-data");
    await test.assertResource(VolumeMountRequest, "/var/mnt");
    await test.assertNoResource(VolumeConfig, "u-disk");
    await test.remove(config);
    await test.assertNoResource(VolumeMountRequest, "/var/mnt");
  });

  it("mounts a volume at its path, and lets it go with its document; its files stay", async () => {
    await using kit = await volumeControllers(userVolumeConfigController());
    await kit.create(
      activeResource(mainDocument() + document("data", "directory")),
      createResource(
        VolumeMountRequest,
        "sequencer",
        VolumeMountRequest.spec({ volumeID: "EPHEMERAL", requester: "sequencer" }),
      ),
    );
    await kit.assertResource(VolumeMountStatus, "u-data", ({ spec }) => assert.equal(spec.target, "/var/mnt/data"));
    await kit.assertResource(VolumeStatus, "u-data", ({ spec }) => assert.equal(spec.phase, "ready"));
    const path = join(kit.root, "var/mnt/data");
    assert.equal((await stat(path)).mode & 0o777, 0o755);
    await writeFile(join(path, "file"), "x");

    await kit.update(MachineConfig, MachineConfig.ids.active, () => mainDocument());
    for (const type of [VolumeConfig, VolumeStatus, VolumeMountRequest, MountStatus]) {
      await kit.assertNoResource(type, "u-data");
    }
    assert.ok((await stat(join(path, "file"))).isFile());
  });
});
