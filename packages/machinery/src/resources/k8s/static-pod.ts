import { defineResource, wrapped, type SpecOf } from "../dsl/index.ts";
import { object } from "../values/index.ts";

/** A pod the kubelet must run: the bare Pod object. */
export const StaticPod = defineResource({
  type: "StaticPods.kubernetes.talos.dev",
  namespace: "k8s",
  spec: wrapped(1, object),
});

export type StaticPodSpec = SpecOf<typeof StaticPod>;
