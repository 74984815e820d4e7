import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A label the Kubernetes node should have. */
export const NodeLabelSpec = defineResource({
  type: "NodeLabelSpecs.k8s.talos.dev",
  namespace: "k8s",
  sensitivity: "sensitive",
  columns: [["Value", "{.value}"]],
  spec: {
    key: field(1, text),
    value: field(2, text),
  },
});

export type NodeLabelSpecSpec = SpecOf<typeof NodeLabelSpec>;
