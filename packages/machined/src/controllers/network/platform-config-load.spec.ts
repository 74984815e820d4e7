import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeMountRequest } from "@talos-ts/machinery/resources/block";
import { PlatformConfig } from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import { mountEverythingAt } from "../internal/testing.ts";
import { platformConfigApplyController } from "./platform-config-apply.ts";
import { platformConfigLoadController } from "./platform-config-load.ts";
import { platformConfig, stateVolume } from "./testing/platform-config.ts";

/** As upstream's controller writes it. */
const text = `addresses: []
links: []
routes: []
hostnames:
    - hostname: a
      domainname: ""
      layer: platform
resolvers:
    - dnsServers:
        - 10.5.0.1
      layer: platform
timeServers: []
operators: []
externalIPs:
    - 192.0.2.1
metadata:
    platform: container
    hostname: "on"
`;

describe("platformConfigLoadController()", () => {
  it("shows what was kept, which is applied until the platform speaks", async () => {
    await using at = await stateVolume();
    await writeFile(at.file, text);
    await using kit = controllerTest({
      register: [platformConfigLoadController(at), platformConfigApplyController(), mountEverythingAt("/state")],
    });
    await kit.assertSpec(PlatformConfig, "cached", platformConfig("a"));
    await kit.assertResource(PlatformMetadata, "platformmetadata", ({ spec }) => assert.equal(spec.hostname, "on"));
    await kit.assertNoResource(VolumeMountRequest, "network.PlatformConfigLoadController-STATE");
  });

  for (const [what, damage] of [
    ["no file", undefined],
    ["an empty file", ""],
    ["zeros", "\0\0\0"],
    ["half a file", text.slice(0, 60)],
    ["other contents", "hostnames: [{layer: odd}]\n"],
  ] as const) {
    it(`goes on without a configuration when it finds ${what}`, async () => {
      await using at = await stateVolume();
      if (damage !== undefined) await writeFile(at.file, damage);
      await using kit = controllerTest({ register: [platformConfigLoadController(at), mountEverythingAt("/state")] });
      await kit.settled();
      await kit.assertNoResource(VolumeMountRequest, "network.PlatformConfigLoadController-STATE");
      await kit.assertNoResource(PlatformConfig, "cached");
      const warnings = kit.logs.filter(({ level }) => level === "warn");
      assert.equal(warnings.length, damage === undefined ? 0 : 1);
    });
  }

  it("takes a folder in the file's place for damage too", async () => {
    await using at = await stateVolume();
    await mkdir(at.file);
    await using kit = controllerTest({ register: [platformConfigLoadController(at), mountEverythingAt("/state")] });
    await kit.settled();
    await kit.assertNoResource(PlatformConfig, "cached");
  });
});
