import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeMountRequest } from "@talos-ts/machinery/resources/block";
import {
  HostnameSpec,
  PlatformConfig,
  ResolverSpec,
  type PlatformConfigSpec,
} from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { mountEverythingAt } from "../internal/testing.ts";
import { loadPlatformConfig } from "./internal/platform-config-file.ts";
import { platformConfigStoreController } from "./platform-config-store.ts";

const config = (hostname: string): PlatformConfigSpec =>
  PlatformConfig.spec({
    hostnames: [HostnameSpec.spec({ hostname, layer: "platform" })],
    resolvers: [ResolverSpec.spec({ dnsServers: ["10.5.0.1"], layer: "platform" })],
    externalIPs: ["192.0.2.1"],
    metadata: PlatformMetadata.spec({ platform: "container", hostname: "on" }),
  });

async function machine() {
  const directory = await temporaryDirectory();
  await mkdir(join(directory.path, "state"));
  const state = join(directory.path, "state");
  const file = join(state, "platform-network.yaml");
  return { root: directory.path, state, file, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

describe("platformConfigStoreController()", () => {
  it("keeps what the platform says, again whenever it changes, and lets the volume go", async () => {
    await using at = await machine();
    await using kit = controllerTest({ register: [platformConfigStoreController(at), mountEverythingAt("/state")] });
    await kit.settled();
    assert.deepEqual(await readdir(at.state), []);
    await kit.create(createResource(PlatformConfig, "active", config("a")));
    await kit.settled();
    assert.deepEqual(await loadPlatformConfig(at.state), config("a"));
    await kit.update(PlatformConfig, "active", () => config("b"));
    await kit.settled();
    assert.deepEqual(await loadPlatformConfig(at.state), config("b"));
    await kit.assertNoResource(VolumeMountRequest, "network.PlatformConfigStoreController-STATE");
  });
});
