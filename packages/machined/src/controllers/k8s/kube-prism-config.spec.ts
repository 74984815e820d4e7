import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubePrismConfig, KubePrismEndpoint } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { kubePrismConfigController } from "./kube-prism-config.ts";

describe("kubePrismConfigController()", () => {
  it("publishes listener and endpoints while KubePrism is enabled and there are endpoints", async () => {
    await using test = controllerTest({ register: [kubePrismConfigController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.settled();
    await test.assertNoResource(KubePrismConfig, KubePrismConfig.id);
    const spec = KubePrismEndpoint.spec({ endpoints: [{ host: "10.5.0.2", port: 6443 }] });
    await test.create(createResource(KubePrismEndpoint, KubePrismEndpoint.id, spec));
    await test.assertResource(KubePrismConfig, KubePrismConfig.id, (resource) => {
      assert.deepEqual([resource.spec.host, resource.spec.port], ["127.0.0.1", 7445]);
      assert.deepEqual(resource.spec.endpoints, spec.endpoints);
    });
    await test.remove(config);
    await test.assertNoResource(KubePrismConfig, KubePrismConfig.id);
  });
});
