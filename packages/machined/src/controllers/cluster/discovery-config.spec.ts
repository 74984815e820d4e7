import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { DiscoveryConfig } from "@talos-ts/machinery/resources/cluster";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { discoveryConfigController } from "./discovery-config.ts";

describe("discoveryConfigController()", () => {
  it("T-26: publishes how members discover each other", async () => {
    const { cluster } = await testSecrets();
    await using test = controllerTest({ register: [discoveryConfigController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.assertResource(DiscoveryConfig, "cluster", ({ spec }) => {
      assert.equal(spec.discoveryEnabled, true);
      assert.equal(spec.registryServiceEnabled, true);
      assert.equal(spec.serviceEndpoint, "discovery.talos.dev:443");
      assert.equal(spec.serviceEndpointInsecure, false);
      assert.equal(Buffer.from(spec.serviceEncryptionKey).toString("base64"), cluster.secret);
      assert.equal(spec.serviceClusterID, cluster.id);
    });
  });
  it("T-27: publishes that discovery is off", async () => {
    await using test = controllerTest({ register: [discoveryConfigController()] });
    await test.create(activeResource(await testConfig("worker", { clusterDiscovery: false })));
    await test.assertSpec(DiscoveryConfig, "cluster", DiscoveryConfig.spec({}));
  });
});
