import assert from "node:assert/strict";
import { describe } from "node:test";
import { AdmissionControlConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneAdmissionControlController } from "./control-plane-admission-control.ts";
import { testPublishedConfig } from "./testing/published-config.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  apiServer:
    admissionControl:
      - name: PodSecurity
        configuration: {kind: PodSecurityConfiguration}
`;

describe("controlPlaneAdmissionControlController()", () => {
  testPublishedConfig({
    controller: controlPlaneAdmissionControlController,
    type: AdmissionControlConfig,
    config,
    check: ({ spec }) => {
      assert.deepEqual(spec.config, [{ name: "PodSecurity", configuration: { kind: "PodSecurityConfiguration" } }]);
    },
  });
});
