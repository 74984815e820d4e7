import { defineResource, field, int64, type SpecOf } from "../dsl/index.ts";

/** Asks discovery to look at all devices again; answered when the status shows the same number. */
export const DiscoveryRefreshRequest = defineResource({
  type: "DiscoveryRefreshRequests.block.talos.dev",
  namespace: "runtime",
  columns: [["Request", "{.request}"]],
  id: "refresh",
  spec: {
    request: field(1, int64),
  },
});

export type DiscoveryRefreshRequestSpec = SpecOf<typeof DiscoveryRefreshRequest>;
