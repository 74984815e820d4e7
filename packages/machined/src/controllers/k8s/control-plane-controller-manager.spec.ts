import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ControllerManagerConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneControllerManagerController } from "./control-plane-controller-manager.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  network: {podSubnets: [10.1.0.0/16]}
  controllerManager:
    extraArgs: {v: "4"}
`;

describe("controlPlaneControllerManagerController()", () => {
  it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controlPlaneControllerManagerController()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(ControllerManagerConfig, ControllerManagerConfig.id, ({ spec }) => {
      assert.equal(spec.enabled, true);
      assert.deepEqual(spec.podCIDRs, ["10.1.0.0/16"]);
      assert.deepEqual(spec.extraArgs, { v: { values: ["4"] } });
    });
    await test.remove(active);
    await test.assertNoResource(ControllerManagerConfig, ControllerManagerConfig.id);
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneControllerManagerController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(ControllerManagerConfig, ControllerManagerConfig.id);
  });
});
