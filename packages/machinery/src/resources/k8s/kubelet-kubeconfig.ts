import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Hash of the kubeconfig the kubelet runs with. */
export const KubeletKubeconfig = defineResource({
  type: "KubeletKubeconfigs.kubernetes.talos.dev",
  namespace: "k8s",
  columns: [["Hash", "{.hash}"]],
  id: "kubelet",
  spec: {
    hash: field(1, text),
  },
});

export type KubeletKubeconfigSpec = SpecOf<typeof KubeletKubeconfig>;
