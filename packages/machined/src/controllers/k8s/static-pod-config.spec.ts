import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { StaticPod } from "@talos-ts/machinery/resources/k8s";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { staticPodConfigController } from "./static-pod-config.ts";

describe("staticPodConfigController()", () => {
  it("publishes the pods of the configuration by namespace and name", async () => {
    await using test = controllerTest({ register: [staticPodConfigController()] });
    const config = activeResource(mainDocument("pods: [{kind: Pod, metadata: {name: own}}]"));
    await test.create(config);
    await test.assertResource(StaticPod, "default-own");
    await test.remove(config);
    await test.assertNoResource(StaticPod, "default-own");
  });
  it("fails for a pod without a name", async () => {
    await using test = controllerTest({ register: [staticPodConfigController()] });
    await test.create(activeResource(mainDocument("pods: [{kind: Pod}]")));
    await test.assertStatus("k8s.StaticPodConfigController", ({ lastError }) =>
      assert.match(lastError?.error.message ?? "", /name is missing/),
    );
  });
});
