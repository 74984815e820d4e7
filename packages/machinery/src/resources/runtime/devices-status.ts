import { bool, defineResource, field, type SpecOf } from "../dsl/index.ts";

/** Reports whether all devices known at boot are there; at once true in a container. */
export const DevicesStatus = defineResource({
  type: "DevicesStatuses.runtime.talos.dev",
  namespace: "runtime",
  columns: [["Ready", "{.ready}"]],
  id: "devices",
  spec: {
    ready: field(1, bool),
  },
});

export type DevicesStatusSpec = SpecOf<typeof DevicesStatus>;
