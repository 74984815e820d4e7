import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { defaultDiscoveryEndpoint } from "@talos-ts/machinery/constants";
import { DiscoveryConfig, type DiscoveryConfigSpec } from "@talos-ts/machinery/resources/cluster";
import type { ClusterSection } from "@talos-ts/machinery/config";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes how members of the cluster find each other. */
export function discoveryConfigController(): Controller {
  return reduceController({
    name: "cluster.ConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(DiscoveryConfig)],
    async reduce(context) {
      const cluster = (await activeConfig(context))?.cluster;
      if (cluster === undefined) return [];
      return [createResource(DiscoveryConfig, DiscoveryConfig.id, discoveryOf(cluster))];
    },
  });
}

function discoveryOf(cluster: ClusterSection): DiscoveryConfigSpec {
  const { enabled, registries } = cluster.discovery ?? {};
  if (enabled !== true) return DiscoveryConfig.spec({});
  const { service, kubernetes } = registries ?? {};
  const registryKubernetesEnabled = kubernetes?.disabled !== true;
  if (service?.disabled === true) return DiscoveryConfig.spec({ discoveryEnabled: true, registryKubernetesEnabled });
  const url = new URL(service?.endpoint ?? defaultDiscoveryEndpoint);
  const insecure = url.protocol === "http:";
  return DiscoveryConfig.spec({
    discoveryEnabled: true,
    registryKubernetesEnabled,
    registryServiceEnabled: true,
    serviceEndpoint: `${url.hostname}:${url.port || (insecure ? "80" : "443")}`,
    serviceEndpointInsecure: insecure,
    serviceEncryptionKey: Uint8Array.from(Buffer.from(cluster.secret ?? "", "base64")),
    serviceClusterID: cluster.id,
  });
}
