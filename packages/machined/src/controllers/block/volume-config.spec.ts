import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VolumeConfig, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { volumeControllers } from "./testing/volume-controllers.ts";

describe("volumeConfigController()", () => {
  it("has STATE at once and the rest with the configuration", async () => {
    await using kit = await volumeControllers();
    await kit.assertResource(VolumeStatus, "STATE", ({ spec }) => assert.equal(spec.phase, "ready"));
    await kit.assertNoResource(VolumeConfig, "EPHEMERAL");
    await kit.create(activeResource(mainDocument()));
    await kit.assertResource(VolumeConfig, "EPHEMERAL", ({ metadata, spec }) => {
      assert.equal(spec.type, "directory");
      assert.equal(spec.mount.targetPath, "/var");
      assert.deepEqual(metadata.labels, { "talos.dev/system-volume": "" });
    });
    await kit.assertResource(VolumeConfig, "ETCD", ({ spec }) => assert.equal(spec.mount.parentId, "/var/lib"));
  });
});
