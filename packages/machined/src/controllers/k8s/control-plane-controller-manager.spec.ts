import assert from "node:assert/strict";
import { describe } from "node:test";
import { ControllerManagerConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneControllerManagerController } from "./control-plane-controller-manager.ts";
import { testPublishedConfig } from "./testing/published-config.ts";

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
  testPublishedConfig({
    controller: controlPlaneControllerManagerController,
    type: ControllerManagerConfig,
    config,
    check: ({ spec }) => {
      assert.equal(spec.enabled, true);
      assert.deepEqual(spec.podCIDRs, ["10.1.0.0/16"]);
      assert.deepEqual(spec.extraArgs, { v: { values: ["4"] } });
    },
  });
});
