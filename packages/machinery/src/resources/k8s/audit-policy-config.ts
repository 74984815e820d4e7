import { defineResource, field, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

/** Audit policy of the API server. */
export const AuditPolicyConfig = defineResource({
  type: "AuditPolicyConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  sensitivity: "sensitive",
  id: "audit-policy",
  spec: {
    config: field(1, struct),
  },
});

export type AuditPolicyConfigSpec = SpecOf<typeof AuditPolicyConfig>;
