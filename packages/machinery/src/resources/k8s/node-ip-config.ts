import { defineResource, field, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** Subnets the node addresses are chosen from. */
export const NodeIPConfig = defineResource({
  type: "NodeIPConfigs.kubernetes.talos.dev",
  namespace: "k8s",
  id: "kubelet",
  spec: {
    validSubnets: omitEmpty(1, list(text)),
    excludeSubnets: field(2, list(text)),
  },
});

export type NodeIPConfigSpec = SpecOf<typeof NodeIPConfig>;
