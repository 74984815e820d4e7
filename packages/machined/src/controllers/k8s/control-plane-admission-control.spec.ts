import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AdmissionControlConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneAdmissionControlController } from "./control-plane-admission-control.ts";

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
  it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controlPlaneAdmissionControlController()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(AdmissionControlConfig, AdmissionControlConfig.id, ({ spec }) => {
      assert.deepEqual(spec.config, [{ name: "PodSecurity", configuration: { kind: "PodSecurityConfiguration" } }]);
    });
    await test.remove(active);
    await test.assertNoResource(AdmissionControlConfig, AdmissionControlConfig.id);
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneAdmissionControlController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(AdmissionControlConfig, AdmissionControlConfig.id);
  });
});
