import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A taint the Kubernetes node should have. */
export const NodeTaintSpec = defineResource({
  type: "NodeTaintSpecs.k8s.talos.dev",
  namespace: "k8s",
  sensitivity: "sensitive",
  columns: [
    ["Effect", "{.effect}"],
    ["Value", "{.value}"],
  ],
  spec: {
    key: field(1, text),
    effect: field(2, text),
    value: field(3, text),
  },
});

export type NodeTaintSpecSpec = SpecOf<typeof NodeTaintSpec>;
