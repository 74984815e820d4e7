import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists while the Kubernetes node should be cordoned. */
export const NodeCordonedSpec = defineResource({
  type: "NodeCordonedSpecs.k8s.talos.dev",
  namespace: "k8s",
  sensitivity: "sensitive",
  id: "cordoned",
  spec: nothing,
});

export type NodeCordonedSpecSpec = SpecOf<typeof NodeCordonedSpec>;
