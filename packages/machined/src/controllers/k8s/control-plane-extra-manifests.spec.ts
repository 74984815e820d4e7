import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ExtraManifestsConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneExtraManifestsController } from "./control-plane-extra-manifests.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  extraManifests: ["https://example.org/a.yaml"]
  inlineManifests: [{name: own, contents: "kind: Namespace"}]
`;

describe("controlPlaneExtraManifestsController()", () => {
  it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controlPlaneExtraManifestsController()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(ExtraManifestsConfig, ExtraManifestsConfig.id, ({ spec }) => {
      assert.deepEqual(
        spec.extraManifests.map(({ name, priority, inlineManifest }) => [name, priority, inlineManifest]),
        [
          ["https://example.org/a.yaml", "99", ""],
          ["own", "99", "kind: Namespace"],
        ],
      );
    });
    await test.remove(active);
    await test.assertNoResource(ExtraManifestsConfig, ExtraManifestsConfig.id);
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneExtraManifestsController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(ExtraManifestsConfig, ExtraManifestsConfig.id);
  });
});
