import { defineResource, field, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";
import { kubeletMount } from "./kubelet-mount.ts";

/** Start parameters of the kubelet. */
export const KubeletSpec = defineResource({
  type: "KubeletSpecs.kubernetes.talos.dev",
  namespace: "k8s",
  sensitivity: "sensitive",
  id: "kubelet",
  spec: {
    image: field(1, text),
    args: omitEmpty(2, list(text)),
    extraMounts: omitEmpty(3, list(kubeletMount)),
    expectedNodename: omitEmpty(4, text),
    config: field(5, struct),
    credentialProviderConfig: omitEmpty(6, struct),
  },
});

export type KubeletSpecSpec = SpecOf<typeof KubeletSpec>;
