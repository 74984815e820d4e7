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
    const config = activeResource(mainDocument() + document("data", "directory"));
    await test.create(config);
    await test.assertResource(VolumeConfig, "u-data", ({ metadata, spec }) => {
      assert.deepEqual(metadata.labels, { "talos.dev/user-volume": "" });
      assert.equal(spec.type, "directory");
      assert.partialDeepStrictEqual(spec.mount, { targetPath: "data", parentId: "/var/mnt", fileMode: 0o755 });
    });
    await test.assertResource(VolumeMountRequest, "u-data");
    await test.assertResource(VolumeMountRequest, "/var/mnt");
    await test.remove(config);
    await test.assertNoResource(VolumeMountRequest, "/var/mnt");
  });

  it("asks for partitions and disks with the sizes and options of their documents", async () => {
    await using test = controllerTest({ register: [userVolumeConfigController()] });
    const partition = `${document("part", "partition")}provisioning:
  diskSelector: {match: "!system_disk"}
  minSize: 1GiB
  maxSize: 50%
filesystem: {type: ext4}
mount: {secure: false, disableAccessTime: true}
`;
    const disk = `${document("whole", "disk")}provisioning:\n  diskSelector: {match: disk.rotational}\n`;
    const raw = `---\napiVersion: v1alpha1\nkind: RawVolumeConfig\nname: ceph\nprovisioning:
  diskSelector: {match: "true"}\n  maxSize: -1GiB\n`;
    await test.create(activeResource(mainDocument() + partition + disk + raw));
    await test.assertResource(VolumeConfig, "u-part", ({ spec: { type, locator, provisioning } }) => {
      assert.deepEqual([type, locator.match.text], ["partition", 'volume.partition_label == "u-part"']);
      assert.equal(provisioning.diskSelector.match.text, "!system_disk");
      assert.partialDeepStrictEqual(provisioning.partitionSpec, {
        minSize: 1024 ** 3,
        relativeMaxSize: 50,
        label: "u-part",
      });
      assert.equal(provisioning.filesystemSpec.type, "ext4");
    });
    const mount = { volumeID: "u-part", requester: "block.UserVolumeConfigController" };
    await test.assertSpec(
      VolumeMountRequest,
      "u-part",
      VolumeMountRequest.spec({ ...mount, secure: false, disableAccessTime: true }),
    );
    await test.assertResource(VolumeConfig, "u-whole", ({ spec: { type, locator, provisioning } }) =>
      assert.deepEqual(
        [type, locator.diskMatch.text, provisioning.filesystemSpec.type],
        ["disk", "disk.rotational", "xfs"],
      ),
    );
    await test.assertResource(VolumeMountRequest, "u-whole", ({ spec }) => assert.equal(spec.secure, true));
    await test.assertResource(VolumeConfig, "r-ceph", ({ metadata, spec: { provisioning } }) => {
      assert.deepEqual(metadata.labels, { "talos.dev/raw-volume": "" });
      const { filesystemSpec, partitionSpec } = provisioning;
      assert.deepEqual(
        [filesystemSpec.type, partitionSpec.maxSize, partitionSpec.negativeMaxSize],
        ["none", 1024 ** 3, true],
      );
    });
    await test.assertNoResource(VolumeMountRequest, "r-ceph");
  });

  it("asks for volumes that are there already", async () => {
    await using test = controllerTest({ register: [userVolumeConfigController()] });
    const existing = `---\napiVersion: v1alpha1\nkind: ExistingVolumeConfig\nname: old
discovery: {volumeSelector: {match: volume.partition_label == "OLD"}}\nmount: {readOnly: true}\n`;
    await test.create(activeResource(mainDocument() + existing));
    await test.assertResource(VolumeConfig, "e-old", ({ metadata, spec }) => {
      assert.deepEqual(metadata.labels, { "talos.dev/existing-volume": "" });
      assert.deepEqual([spec.type, spec.locator.match.text], ["partition", 'volume.partition_label == "OLD"']);
      assert.equal(spec.mount.targetPath, "old");
    });
    await test.assertResource(VolumeMountRequest, "e-old", ({ spec }) =>
      assert.deepEqual([spec.readOnly, spec.secure, spec.disableAccessTime], [true, true, false]),
    );
    await test.assertResource(VolumeMountRequest, "/var/mnt");
  });

  it("makes no volume that is to be encrypted", async () => {
    await using test = controllerTest({ register: [userVolumeConfigController()] });
    const encryption = "encryption:\n  provider: luks2\n  keys: [{slot: 0, static: {passphrase: secret}}]\n";
    const provisioning = 'provisioning:\n  diskSelector: {match: "true"}\n  minSize: 1GiB\n';
    const raw = `---\napiVersion: v1alpha1\nkind: RawVolumeConfig\nname: data\n${provisioning}${encryption}`;
    await test.create(
      activeResource(`${mainDocument()}${document("data", "partition")}${provisioning}${encryption}${raw}`),
    );
    await test.settled();
    for (const id of ["u-data", "r-data"]) await test.assertNoResource(VolumeConfig, id);
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
