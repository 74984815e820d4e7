import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeConfig, VolumeLifecycle, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { volumeManagerController } from "./volume-manager.ts";

const lifecycle = () => createResource(VolumeLifecycle, VolumeLifecycle.id, VolumeLifecycle.spec());
const volume = (id: string, type: "directory" | "partition") =>
  createResource(VolumeConfig, id, VolumeConfig.spec({ type }), { labels: { "talos.dev/system-volume": "" } });

describe("volumeManagerController()", () => {
  it("makes directories ready at once, with the labels of their configuration", async () => {
    await using kit = controllerTest({ register: [volumeManagerController()] });
    const state = volume("STATE", "directory");
    await kit.create(state);
    await kit.assertResource(VolumeStatus, "STATE", ({ metadata, spec }) => {
      assert.equal(spec.phase, "ready");
      assert.deepEqual(metadata.labels, { "talos.dev/system-volume": "" });
    });
    await kit.remove(state);
    await kit.assertNoResource(VolumeStatus, "STATE");
  });
  it("fails a volume that needs a block device", async () => {
    await using kit = controllerTest({ register: [volumeManagerController()] });
    await kit.create(volume("data", "partition"));
    await kit.assertResource(VolumeStatus, "data", ({ spec }) => assert.equal(spec.phase, "failed"));
  });
  it("closes all volumes when the lifecycle ends", async () => {
    await using kit = controllerTest({ register: [volumeManagerController()] });
    const end = lifecycle();
    await kit.create(end, volume("STATE", "directory"));
    await kit.assertResource(VolumeStatus, "STATE");
    await kit.assertResource(VolumeLifecycle, "volumes", ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, ["block.VolumeManagerController"]),
    );
    await kit.remove(end);
    await kit.assertNoResource(VolumeStatus, "STATE");
  });
});
