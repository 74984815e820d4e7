import { defineResource, field, int64, list, text, type SpecOf } from "../dsl/index.ts";
import { kubeprismAddress } from "./kubeprism-address.ts";

/** Listener of KubePrism and the API servers that it balances. */
export const KubePrismConfig = defineResource({
  type: "KubePrismConfigs.kubernetes.talos.dev",
  namespace: "k8s",
  columns: [
    ["Host", "{.host}"],
    ["Port", "{.port}"],
    ["Endpoints", "{.endpoints}"],
  ],
  id: "k8s-loadbalancer-config",
  spec: {
    host: field(1, text),
    port: field(2, int64),
    endpoints: field(3, list(kubeprismAddress)),
  },
});

export type KubePrismConfigSpec = SpecOf<typeof KubePrismConfig>;
