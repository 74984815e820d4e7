import { defineResource, field, int64, type SpecOf } from "../dsl/index.ts";

/** The last request that discovery has answered. */
export const DiscoveryRefreshStatus = defineResource({
  type: "DiscoveryRefreshStatuses.block.talos.dev",
  namespace: "runtime",
  columns: [["Request", "{.request}"]],
  id: "refresh",
  spec: {
    request: field(1, int64),
  },
});

export type DiscoveryRefreshStatusSpec = SpecOf<typeof DiscoveryRefreshStatus>;
