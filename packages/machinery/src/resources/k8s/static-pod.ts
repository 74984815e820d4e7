import { defineResource, wrapped, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

/** A pod the kubelet must run: the bare Pod object. */
export const StaticPod = defineResource({
  type: "StaticPods.kubernetes.talos.dev",
  namespace: "k8s",
  spec: wrapped(1, struct),
});

export type StaticPodSpec = SpecOf<typeof StaticPod>;
