import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { describe, it } from "node:test";
import { loadPlatformConfig, storePlatformConfig } from "./platform-config-file.ts";
import { platformConfig, stateVolume } from "../testing/platform-config.ts";

describe("storePlatformConfig()", () => {
  it("writes what loadPlatformConfig() reads, for nobody else to read or change", async () => {
    await using at = await stateVolume();
    await storePlatformConfig(at.state, platformConfig("a"));
    assert.match(
      await readFile(at.file, "utf8"),
      /^addresses: \[\]\n.*metadata:\n {4}platform: container\n {4}hostname: "on"\n$/s,
    );
    assert.equal((await stat(at.file)).mode & 0o777, 0o400);
    assert.deepEqual(await loadPlatformConfig(at.state), platformConfig("a"));
    await storePlatformConfig(at.state, platformConfig("b"));
    assert.deepEqual(await loadPlatformConfig(at.state), platformConfig("b"));
    assert.deepEqual(await readdir(at.state), ["platform-network.yaml"]);
  });
  it("does not write what is there already", async () => {
    await using at = await stateVolume();
    await storePlatformConfig(at.state, platformConfig("a"));
    const before = await stat(at.file);
    await storePlatformConfig(at.state, platformConfig("a"));
    assert.equal((await stat(at.file)).ino, before.ino);
  });
});
