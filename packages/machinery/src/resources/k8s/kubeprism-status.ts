import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Reports whether KubePrism has a healthy API server. */
export const KubePrismStatus = defineResource({
  type: "KubePrismStatuses.kubernetes.talos.dev",
  namespace: "k8s",
  columns: [
    ["HOST", "{.host}"],
    ["HEALTHY", "{.healthy}"],
  ],
  id: "k8s-loadbalancer",
  spec: {
    host: field(1, text),
    healthy: field(2, bool),
  },
});

export type KubePrismStatusSpec = SpecOf<typeof KubePrismStatus>;
