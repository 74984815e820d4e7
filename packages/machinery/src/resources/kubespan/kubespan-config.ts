import { bool, defineResource, field, list, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { ipPort, ipPrefix } from "../values/index.ts";

/** Settings of KubeSpan. */
export const KubeSpanConfig = defineResource({
  type: "KubeSpanConfigs.kubespan.talos.dev",
  namespace: "config",
  sensitivity: "sensitive",
  id: "kubespan",
  spec: {
    enabled: field(1, bool),
    clusterId: field(2, text),
    sharedSecret: field(3, text),
    forceRouting: field(4, bool),
    advertiseKubernetesNetworks: field(5, bool),
    mtu: omitEmpty(6, uint32),
    endpointFilters: omitEmpty(7, list(text)),
    harvestExtraEndpoints: field(8, bool),
    extraEndpoints: omitEmpty(9, list(ipPort)),
    excludeAdvertisedNetworks: omitEmpty(10, list(ipPrefix)),
  },
});

export type KubeSpanConfigSpec = SpecOf<typeof KubeSpanConfig>;
