import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists while the maintenance service should run. */
export const MaintenanceServiceRequest = defineResource({
  type: "MaintenanceServiceRequests.runtime.talos.dev",
  namespace: "runtime",
  id: "maintenance",
  spec: nothing,
});

export type MaintenanceServiceRequestSpec = SpecOf<typeof MaintenanceServiceRequest>;
