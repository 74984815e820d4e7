import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { PlatformConfig } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { platformConfigController } from "./platform-config.ts";

function start(hostname: string) {
  const network = async () => ({ hostname, resolvers: ["10.5.0.1"], instanceType: "2CPU-4RAM" });
  return controllerTest({ register: [platformConfigController(testMachine({ platform: { network } }))] });
}

describe("platformConfigController()", () => {
  it("publishes hostname, resolvers and metadata of the platform", async () => {
    await using kit = start("node-1.lan");
    await kit.assertResource(PlatformConfig, "active", ({ spec }) => {
      assert.deepEqual(spec.hostnames, [{ hostname: "node-1", domainname: "lan", layer: "platform" }]);
      assert.deepEqual(spec.resolvers, [{ dnsServers: ["10.5.0.1"], searchDomains: [], layer: "platform" }]);
      assert.equal(spec.metadata?.instanceType, "2CPU-4RAM");
    });
  });
  it("ignores a hostname that is not valid, with a warning", async () => {
    await using kit = start(".lan");
    await kit.assertResource(PlatformConfig, "active", ({ spec }) => assert.deepEqual(spec.hostnames, []));
    assert.ok(kit.logs.some(({ level }) => level === "warn"));
  });
});
