import assert from "node:assert/strict";
import { describe } from "node:test";
import { AuditPolicyConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneAuditPolicyController } from "./control-plane-audit-policy.ts";
import { testPublishedConfig } from "./testing/published-config.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  apiServer:
    auditPolicy: {kind: Policy, rules: [{level: None}]}
`;

describe("controlPlaneAuditPolicyController()", () => {
  testPublishedConfig({
    controller: controlPlaneAuditPolicyController,
    type: AuditPolicyConfig,
    config,
    check: ({ spec }) => {
      assert.deepEqual(spec.config, { kind: "Policy", rules: [{ level: "None" }] });
    },
  });
});
