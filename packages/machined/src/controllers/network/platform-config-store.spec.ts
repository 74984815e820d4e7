import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeMountRequest } from "@talos-ts/machinery/resources/block";
import { PlatformConfig } from "@talos-ts/machinery/resources/network";
import { mountEverythingAt } from "../internal/testing.ts";
import { loadPlatformConfig } from "./internal/platform-config-file.ts";
import { platformConfigStoreController } from "./platform-config-store.ts";
import { platformConfig, stateVolume } from "./testing/platform-config.ts";

describe("platformConfigStoreController()", () => {
  it("keeps what the platform says, again whenever it changes, and lets the volume go", async () => {
    await using at = await stateVolume();
    await using kit = controllerTest({ register: [platformConfigStoreController(at), mountEverythingAt("/state")] });
    await kit.settled();
    assert.deepEqual(await readdir(at.state), []);
    await kit.create(createResource(PlatformConfig, "active", platformConfig("a")));
    await kit.settled();
    assert.deepEqual(await loadPlatformConfig(at.state), platformConfig("a"));
    await kit.update(PlatformConfig, "active", () => platformConfig("b"));
    await kit.settled();
    assert.deepEqual(await loadPlatformConfig(at.state), platformConfig("b"));
    await kit.assertNoResource(VolumeMountRequest, "network.PlatformConfigStoreController-STATE");
  });
});
