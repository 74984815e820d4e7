import { defineResource, field, list, type SpecOf } from "../dsl/index.ts";
import { addressSortAlgorithm } from "../enums/index.ts";
import { ipPrefix } from "../values/index.ts";

/** Addresses of the node under several points of view; each also filtered, as in `current-no-k8s`. */
export const NodeAddress = defineResource({
  type: "NodeAddresses.net.talos.dev",
  namespace: "network",
  columns: [
    ["Addresses", "{.addresses}"],
    ["SortAlgorithm", "{.sortAlgorithm}"],
  ],
  ids: { default: "default", current: "current", accumulative: "accumulative", routed: "routed" },
  spec: {
    addresses: field(1, list(ipPrefix)),
    sortAlgorithm: field(2, addressSortAlgorithm),
  },
});

export type NodeAddressSpec = SpecOf<typeof NodeAddress>;
