import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeConfig, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";
import { mountController } from "./mount.ts";
import { mountRequestController } from "./mount-request.ts";
import { volumeMountStatusController } from "./volume-mount-status.ts";
import { volumeConfigController } from "./volume-config.ts";
import { volumeManagerController } from "./volume-manager.ts";

async function test() {
  const root = await mkdtemp(join(tmpdir(), "volumes-"));
  await mkdir(join(root, "var"));
  await mkdir(join(root, "system"));
  await mkdir(join(root, "run"));
  const machine = testMachine({ root });
  const kit = controllerTest({
    register: [
      mountController(machine),
      mountRequestController(),
      volumeMountStatusController(),
      volumeConfigController(),
      volumeManagerController(),
    ],
  });
  return {
    ...kit,
    root,
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await rm(root, { recursive: true });
    },
  };
}

describe("volumeConfigController()", () => {
  it("has STATE at once and the rest with the configuration", async () => {
    await using kit = await test();
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
