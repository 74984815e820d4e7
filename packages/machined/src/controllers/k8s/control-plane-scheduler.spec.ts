import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { SchedulerConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneSchedulerController } from "./control-plane-scheduler.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
  controlPlane: {scheduler: {disabled: true}}
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  scheduler:
    extraArgs: {v: "4"}
`;

describe("controlPlaneSchedulerController()", () => {
  it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controlPlaneSchedulerController()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(SchedulerConfig, SchedulerConfig.id, ({ spec }) => {
      assert.equal(spec.enabled, false);
      assert.deepEqual(spec.extraArgs, { v: { values: ["4"] } });
    });
    await test.remove(active);
    await test.assertNoResource(SchedulerConfig, SchedulerConfig.id);
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneSchedulerController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(SchedulerConfig, SchedulerConfig.id);
  });
});
