import { bool, bytes, defineResource, field, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** Enabled registries, and the endpoint and key of the discovery service. */
export const DiscoveryConfig = defineResource({
  type: "DiscoveryConfigs.cluster.talos.dev",
  namespace: "config",
  sensitivity: "sensitive",
  id: "cluster",
  spec: {
    discoveryEnabled: field(1, bool),
    registryKubernetesEnabled: field(2, bool),
    registryServiceEnabled: field(3, bool),
    serviceEndpoint: field(4, text),
    serviceEndpointInsecure: omitEmpty(5, bool),
    serviceEncryptionKey: field(6, bytes),
    serviceClusterID: field(7, text),
  },
});

export type DiscoveryConfigSpec = SpecOf<typeof DiscoveryConfig>;
