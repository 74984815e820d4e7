import { defineResource, field, optional, type SpecOf } from "../dsl/index.ts";
import { certificateAndKey } from "../values/index.ts";

/** Certificate authority of the maintenance service, made at boot. */
export const MaintenanceRootSecret = defineResource({
  type: "MaintenanceRootSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "maintenance",
  spec: {
    ca: field(1, optional(certificateAndKey)),
  },
});

export type MaintenanceRootSecretSpec = SpecOf<typeof MaintenanceRootSecret>;
