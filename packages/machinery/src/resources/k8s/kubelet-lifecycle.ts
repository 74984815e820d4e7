import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists while the kubelet may run: finalizers on it hold up its shutdown. */
export const KubeletLifecycle = defineResource({
  type: "KubeletLifecycles.kubernetes.talos.dev",
  namespace: "k8s",
  id: "kubelet",
  spec: nothing,
});

export type KubeletLifecycleSpec = SpecOf<typeof KubeletLifecycle>;
