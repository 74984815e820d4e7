import assert from "node:assert/strict";
import { describe } from "node:test";
import { SchedulerConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneSchedulerController } from "./control-plane-scheduler.ts";
import { testPublishedConfig } from "./testing/published-config.ts";

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
  testPublishedConfig({
    controller: controlPlaneSchedulerController,
    type: SchedulerConfig,
    config,
    check: ({ spec }) => {
      assert.equal(spec.enabled, false);
      assert.deepEqual(spec.extraArgs, { v: { values: ["4"] } });
    },
  });
});
