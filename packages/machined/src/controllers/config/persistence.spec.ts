import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeLifecycle, VolumeMountRequest } from "@talos-ts/machinery/resources/block";
import { loadConfig } from "@talos-ts/machinery/config";
import { ConfigPersistStatus, MachineConfig } from "@talos-ts/machinery/resources/config";
import { sealConfig } from "../../config/config-file.ts";
import { createConfigStore } from "../../config/state-config-store.ts";
import { mountEverythingAt } from "../internal/testing.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { persistenceController } from "./persistence.ts";

const lifecycle = createResource(VolumeLifecycle, VolumeLifecycle.id, VolumeLifecycle.spec({}));
const request = "config.PersistenceController-STATE";

describe("persistenceController()", () => {
  it("writes each version to the volume, readable by the owner only, and gives the volume back", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "state"));
    const register = [persistenceController({ root: directory.path }), mountEverythingAt("/state")];
    await using test = controllerTest({ register });
    const path = join(directory.path, "state/config.yaml");
    await test.create(lifecycle, createResource(MachineConfig, "persistent", "first"));
    await test.assertResource(VolumeMountRequest, request);
    await test.assertNoResource(VolumeMountRequest, request);
    assert.equal(await readFile(path, "utf8"), sealConfig("first"));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await test.update(MachineConfig, "persistent", () => "second");
    await test.settled();
    await test.assertNoResource(VolumeMountRequest, request);
    assert.equal(await readFile(path, "utf8"), sealConfig("second"));
    assert.deepEqual(await readdir(join(directory.path, "state")), ["config.yaml"]);
  });

  it("keeps volumes from closing until the configuration is written", async () => {
    await using directory = await temporaryDirectory();
    await using test = controllerTest({ register: [persistenceController({ root: directory.path })] });
    await test.create(lifecycle, createResource(MachineConfig, "persistent", "text"));
    await test.assertResource(VolumeMountRequest, request);
    assert.equal(await test.state.teardown(lifecycle.metadata), false);
    await test.settled();
    await test.assertResource(VolumeLifecycle, VolumeLifecycle.id, ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, ["config.PersistenceController"]),
    );
    await mkdir(join(directory.path, "state"));
    test.runtime.register(mountEverythingAt("/state"));
    await test.assertResource(VolumeLifecycle, VolumeLifecycle.id, ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, []),
    );
    assert.equal(await readFile(join(directory.path, "state/config.yaml"), "utf8"), sealConfig("text"));
  });

  it("tells the store when a configuration is on disk, and takes back one that cannot be written", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "state"));
    const path = join(directory.path, "state/config.yaml");
    const register = [persistenceController({ root: directory.path }), mountEverythingAt("/state")];
    await using test = controllerTest({ register });
    await test.create(lifecycle);
    const store = createConfigStore(test.state);
    const config = (name: string): ReturnType<typeof loadConfig> =>
      loadConfig(`apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: ${name}\n`);
    await mkdir(path);
    for (const _attempt of [1, 2]) {
      await assert.rejects(store.persist(config("a")), {
        code: "config/not-persisted",
        message: /Cannot persist the configuration: .*EISDIR/,
      });
      await test.assertResource(ConfigPersistStatus, "persistent", ({ spec }) => assert.match(spec.error, /EISDIR/));
      await test.assertNoResource(MachineConfig, "persistent");
    }
    await rm(path, { recursive: true });
    await store.persist(config("b"));
    assert.match(await readFile(path, "utf8"), /hostname: b/);
    await test.assertResource(ConfigPersistStatus, "persistent", ({ spec }) => assert.equal(spec.error, ""));
    await rm(path);
    await mkdir(path);
    await assert.rejects(store.persist(config("c")), { code: "config/not-persisted" });
    await test.assertResource(MachineConfig, "persistent", ({ spec }) => assert.match(spec, /hostname: b/));
    await test.settled();
    await test.assertResource(ConfigPersistStatus, "persistent", ({ spec }) => assert.match(spec.error, /EISDIR/));
  });
});
