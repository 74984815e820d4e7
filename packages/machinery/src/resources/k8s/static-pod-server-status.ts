import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** URL the kubelet fetches static pods from. */
export const StaticPodServerStatus = defineResource({
  type: "StaticPodServerStatuses.kubernetes.talos.dev",
  namespace: "k8s",
  id: "static-pod-server-status",
  spec: {
    url: field(1, text),
  },
});

export type StaticPodServerStatusSpec = SpecOf<typeof StaticPodServerStatus>;
