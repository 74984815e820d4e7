import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  HostnameSpec,
  PlatformConfig,
  ResolverSpec,
  type PlatformConfigSpec,
} from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { loadPlatformConfig, storePlatformConfig } from "./platform-config-file.ts";

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

describe("storePlatformConfig()", () => {
  it("writes what loadPlatformConfig() reads, for nobody else to read or change", async () => {
    await using at = await machine();
    await storePlatformConfig(at.state, config("a"));
    assert.match(
      await readFile(at.file, "utf8"),
      /^addresses: \[\]\n.*metadata:\n {4}platform: container\n {4}hostname: "on"\n$/s,
    );
    assert.equal((await stat(at.file)).mode & 0o777, 0o400);
    assert.deepEqual(await loadPlatformConfig(at.state), config("a"));
    await storePlatformConfig(at.state, config("b"));
    assert.deepEqual(await loadPlatformConfig(at.state), config("b"));
    assert.deepEqual(await readdir(at.state), ["platform-network.yaml"]);
  });
  it("does not write what is there already", async () => {
    await using at = await machine();
    await storePlatformConfig(at.state, config("a"));
    const before = await stat(at.file);
    await storePlatformConfig(at.state, config("a"));
    assert.equal((await stat(at.file)).ino, before.ino);
  });
});
