import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { ip } from "../values/index.ts";

/** Listener of the maintenance service. */
export const MaintenanceServiceConfig = defineResource({
  type: "MaintenanceServiceConfigs.runtime.talos.dev",
  namespace: "runtime",
  id: "maintenance",
  spec: {
    listenAddress: field(1, text),
    reachableAddresses: field(2, list(ip)),
  },
});

export type MaintenanceServiceConfigSpec = SpecOf<typeof MaintenanceServiceConfig>;
