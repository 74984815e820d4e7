import { defineResource, field, type SpecOf } from "../dsl/index.ts";
import { addressSortAlgorithm } from "../enums/index.ts";

/** Sort order of node addresses. */
export const NodeAddressSortAlgorithm = defineResource({
  type: "NodeAddressSortAlgorithms.net.talos.dev",
  namespace: "network",
  columns: [["Algorithm", "{.algorithm}"]],
  id: "default",
  spec: {
    algorithm: field(1, addressSortAlgorithm),
  },
});

export type NodeAddressSortAlgorithmSpec = SpecOf<typeof NodeAddressSortAlgorithm>;
