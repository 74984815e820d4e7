import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AuditPolicyConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneAuditPolicyController } from "./control-plane-audit-policy.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  apiServer:
    auditPolicy: {kind: Policy, rules: [{level: None}]}
`;

describe("controlPlaneAuditPolicyController()", () => {
  it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controlPlaneAuditPolicyController()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(AuditPolicyConfig, AuditPolicyConfig.id, ({ spec }) => {
      assert.deepEqual(spec.config, { kind: "Policy", rules: [{ level: "None" }] });
    });
    await test.remove(active);
    await test.assertNoResource(AuditPolicyConfig, AuditPolicyConfig.id);
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneAuditPolicyController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(AuditPolicyConfig, AuditPolicyConfig.id);
  });
});
