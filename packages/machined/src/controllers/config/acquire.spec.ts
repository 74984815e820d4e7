import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createInMemoryState, createResource, wrapCore } from "@talos-ts/cosi";
import { controllerTest, createRecordingLogger } from "@talos-ts/cosi/conformance";
import { configText } from "@talos-ts/machinery/config";
import { VolumeMountRequest, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { MaintenanceServiceRequest } from "@talos-ts/machinery/resources/runtime";
import { AcquireConfigSpec, AcquireConfigStatus } from "@talos-ts/machinery/resources/v1alpha1";
import { sealConfig } from "../../config/config-file.ts";
import { createConfigStore } from "../../config/state-config-store.ts";
import { createEventBus } from "../../events/event-bus.ts";
import { mountEverythingAt, testConfig } from "../internal/testing.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { acquireController } from "./acquire.ts";

const asked = createResource(AcquireConfigSpec, "machine-config", AcquireConfigSpec.spec({}));
const stateReady = createResource(VolumeStatus, "STATE", VolumeStatus.spec({ phase: "ready", type: "directory" }));
const partial = "apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n";

async function start(root: string, userData?: string) {
  await mkdir(join(root, "system/state"), { recursive: true });
  const state = wrapCore(createInMemoryState());
  const events = createEventBus();
  const published: string[] = [];
  events.listen(({ schema, payload }) => {
    const { error, task } = payload as { readonly error?: string; readonly task?: string };
    published.push(`${schema.name} ${task ?? error ?? ""}`);
  });
  const platform = {
    name: "container",
    mode: "container",
    configuration: async () => (userData === undefined ? undefined : Buffer.from(userData)),
    network: async () => ({ hostname: undefined, resolvers: [], instanceType: undefined }),
  } as const;
  const logger = createRecordingLogger();
  const config = createConfigStore(state);
  const test = controllerTest({
    state,
    register: [acquireController({ platform, config, events, logger, root }), mountEverythingAt("/system/state")],
  });
  return Object.assign(test, { config, published, machineLog: logger.lines });
}

const sourcesOf = (logs: readonly { readonly message: string; readonly fields: object }[]): unknown =>
  logs.find(({ message }) => message === "machine config loaded successfully")?.fields;

describe("acquireController()", () => {
  it("takes the configuration from the disk and does not write it again", async () => {
    await using directory = await temporaryDirectory();
    await using test = await start(directory.path, configText(await testConfig("worker")));
    const text = configText(await testConfig("controlplane"));
    await writeFile(join(directory.path, "system/state/config.yaml"), text);
    await test.create(asked, stateReady);
    await test.assertResource(AcquireConfigStatus, "machine-config");
    await test.assertSpec(MachineConfig, "v1alpha1", text);
    await test.assertNoResource(MachineConfig, "persistent");
    await test.assertNoResource(VolumeMountRequest, "config.AcquireController-STATE");
    assert.deepEqual((sourcesOf(test.logs) as { sources: unknown }).sources, ["state"]);
  });

  it("takes it from the platform when the disk has none, and keeps it", async () => {
    await using directory = await temporaryDirectory();
    const text = configText(await testConfig("worker"));
    await using test = await start(directory.path, text);
    await test.create(asked, stateReady);
    await test.assertResource(AcquireConfigStatus, "machine-config");
    await test.assertSpec(MachineConfig, "v1alpha1", text);
    await test.assertSpec(MachineConfig, "persistent", text);
    assert.deepEqual((sourcesOf(test.logs) as { sources: unknown }).sources, ["container"]);
  });

  it("does nothing before it is asked and the volume is there", async () => {
    await using directory = await temporaryDirectory();
    await using test = await start(directory.path, configText(await testConfig("worker")));
    await test.create(stateReady);
    await test.settled();
    await test.assertNoResource(MachineConfig, "v1alpha1");
  });

  it("waits in maintenance mode for a person, also when a part of the configuration is there", async () => {
    await using directory = await temporaryDirectory();
    await using test = await start(directory.path, partial);
    await test.create(asked, stateReady);
    await test.assertResource(MaintenanceServiceRequest, "maintenance");
    await test.assertSpec(MachineConfig, "v1alpha1", partial);
    await test.assertNoResource(AcquireConfigStatus, "machine-config");
    await test.config.activate(await testConfig("worker"));
    await test.assertResource(AcquireConfigStatus, "machine-config");
    await test.assertNoResource(MaintenanceServiceRequest, "maintenance");
    assert.deepEqual((sourcesOf(test.logs) as { sources: unknown }).sources, ["container", "maintenance"]);
    assert.deepEqual(test.published, ["TaskEvent runningMaintenance", "TaskEvent runningMaintenance"]);
  });

  it("goes to maintenance mode with a broken configuration and says why", async () => {
    await using directory = await temporaryDirectory();
    await using test = await start(directory.path, "version: v1alpha1\nmachine:\n  typ: worker\n");
    await test.create(asked, stateReady);
    await test.assertResource(MaintenanceServiceRequest, "maintenance");
    assert.match(test.published[0] ?? "", /^ConfigLoadErrorEvent failed to load config via platform container: .*typ/s);
    assert.equal(test.machineLog.find(({ level }) => level === "error")?.message, "cannot use the machine config");
    await test.assertNoResource(MachineConfig, "v1alpha1");
  });

  it("goes to maintenance mode with an invalid configuration and says why", async () => {
    await using directory = await temporaryDirectory();
    const text = configText(await testConfig("worker"));
    await using test = await start(directory.path, text.replace("type: worker", "type: nonsense"));
    await test.create(asked, stateReady);
    await test.assertResource(MaintenanceServiceRequest, "maintenance");
    assert.match(
      test.published[0] ?? "",
      /^ConfigValidationErrorEvent failed to validate config acquired via platform/,
    );
  });

  it("goes to maintenance mode when the file on disk cannot be read, or is damaged, and says why", async () => {
    const sealed = sealConfig(configText(await testConfig("worker")));
    const cases: readonly (readonly [put: (path: string) => Promise<unknown>, reason: RegExp])[] = [
      [(path) => mkdir(path), /EISDIR/],
      [
        (path) => writeFile(path, sealed.replace("type: worker", "type: vorker")),
        /the file is damaged: expected checksum/,
      ],
    ];
    for (const [put, reason] of cases) {
      await using directory = await temporaryDirectory();
      await using test = await start(directory.path);
      await put(join(directory.path, "system/state/config.yaml"));
      await test.create(asked, stateReady);
      await test.assertResource(MaintenanceServiceRequest, "maintenance");
      assert.match(test.published[0] ?? "", /^ConfigLoadErrorEvent failed to load "config.yaml" from STATE: /);
      assert.match(test.published[0] ?? "", reason);
    }
  });

  it("takes a file with its checksum", async () => {
    await using directory = await temporaryDirectory();
    await using test = await start(directory.path);
    const text = configText(await testConfig("worker"));
    await writeFile(join(directory.path, "system/state/config.yaml"), sealConfig(text));
    await test.create(asked, stateReady);
    await test.assertSpec(MachineConfig, "v1alpha1", text);
  });
});
