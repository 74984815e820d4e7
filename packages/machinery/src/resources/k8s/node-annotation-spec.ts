import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** An annotation the Kubernetes node should have. */
export const NodeAnnotationSpec = defineResource({
  type: "NodeAnnotationSpecs.k8s.talos.dev",
  namespace: "k8s",
  sensitivity: "sensitive",
  columns: [["Value", "{.value}"]],
  spec: {
    key: field(1, text),
    value: field(2, text),
  },
});

export type NodeAnnotationSpecSpec = SpecOf<typeof NodeAnnotationSpec>;
