import { bool, defineResource, field, type SpecOf } from "../dsl/index.ts";

/** A service that runs, and whether it is healthy. */
export const Service = defineResource({
  type: "Services.v1alpha1.talos.dev",
  namespace: "runtime",
  aliases: ["svc"],
  columns: [
    ["Running", "{.running}"],
    ["Healthy", "{.healthy}"],
    ["Health Unknown", "{.unknown}"],
  ],
  spec: {
    running: field(1, bool),
    healthy: field(2, bool),
    unknown: field(3, bool),
  },
});

export type ServiceSpec = SpecOf<typeof Service>;
