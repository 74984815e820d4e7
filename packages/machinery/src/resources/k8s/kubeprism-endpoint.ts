import { defineResource, field, list, type SpecOf } from "../dsl/index.ts";
import { kubeprismAddress } from "./kubeprism-address.ts";

/** All places where the API server answers. */
export const KubePrismEndpoint = defineResource({
  type: "KubePrismEndpoints.kubernetes.talos.dev",
  namespace: "k8s",
  columns: [
    ["Hosts", "{.endpoints[*].host}"],
    ["Ports", "{.endpoints[*].port}"],
  ],
  id: "k8s-cluster",
  spec: {
    endpoints: field(1, list(kubeprismAddress)),
  },
});

export type KubePrismEndpointSpec = SpecOf<typeof KubePrismEndpoint>;
