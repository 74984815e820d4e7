import { defineResource, field, list, type SpecOf } from "../dsl/index.ts";
import { ipPrefix } from "../values/index.ts";

/** Subnets that a filtered list of node addresses keeps and drops. */
export const NodeAddressFilter = defineResource({
  type: "NodeAddressFilters.net.talos.dev",
  namespace: "network",
  columns: [
    ["Include Subnets", "{.includeSubnets}"],
    ["Exclude Subnets", "{.excludeSubnets}"],
  ],
  ids: { onlyK8s: "only-k8s", noK8s: "no-k8s" },
  spec: {
    includeSubnets: field(1, list(ipPrefix)),
    excludeSubnets: field(2, list(ipPrefix)),
  },
});

export type NodeAddressFilterSpec = SpecOf<typeof NodeAddressFilter>;
