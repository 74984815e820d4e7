import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { clusterNetworksOf, imagesOf } from "@talos-ts/machinery/config";
import { KubeletConfig, StaticPodServerStatus } from "@talos-ts/machinery/resources/k8s";
import { nthAddress } from "@talos-ts/base/net";
import { argumentsForResource, argumentsFromConfig } from "../internal/argument-values.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { jsonObject } from "../internal/json-object.ts";

/** Publishes what the configuration says about the kubelet, and where it finds its static pods. */
export function kubeletConfigController(): Controller {
  return reduceController({
    name: "k8s.KubeletConfigController",
    inputs: [activeConfigInput, weak(StaticPodServerStatus, { id: StaticPodServerStatus.id })],
    outputs: [exclusive(KubeletConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const { machine, cluster } = config ?? {};
      if (config === undefined || machine === undefined || cluster === undefined) return [];
      const podServer = await context.find(StaticPodServerStatus, StaticPodServerStatus.id);
      if (podServer === undefined) return undefined;
      const { kubelet = {} } = machine;
      const { dnsDomain, serviceSubnets } = clusterNetworksOf(config);
      const { clusterDNS = [] } = kubelet;
      const spec = KubeletConfig.spec({
        image: imagesOf(config).kubelet,
        // The tenth address of each service network is that of cluster DNS.
        clusterDNS: clusterDNS.length > 0 ? clusterDNS : serviceSubnets.map((subnet) => nthAddress(subnet, 10)),
        clusterDomain: dnsDomain,
        extraArgs: argumentsForResource(argumentsFromConfig(kubelet.extraArgs)),
        extraMounts: (kubelet.extraMounts ?? []).map((mount) => ({
          destination: mount.destination ?? "",
          type: mount.type ?? "",
          source: mount.source ?? "",
          options: mount.options ?? [],
          uidMappings: idMappings(mount.uidMappings),
          gidMappings: idMappings(mount.gidMappings),
        })),
        extraConfig: jsonObject(kubelet.extraConfig),
        cloudProviderExternal: cluster.externalCloudProvider?.enabled === true,
        defaultRuntimeSeccompEnabled: kubelet.defaultRuntimeSeccompProfileEnabled === true,
        skipNodeRegistration: kubelet.skipNodeRegistration === true,
        staticPodListURL: podServer.spec.url,
        disableManifestsDirectory: kubelet.disableManifestsDirectory === true,
        enableFSQuotaMonitoring: machine.features?.diskQuotaSupport === true,
        credentialProviderConfig: jsonObject(kubelet.credentialProviderConfig),
        allowSchedulingOnControlPlane:
          cluster.allowSchedulingOnControlPlanes === true || cluster.allowSchedulingOnMasters === true,
      });
      return [createResource(KubeletConfig, KubeletConfig.id, spec)];
    },
  });
}

interface ConfiguredMapping {
  readonly containerID?: number | undefined;
  readonly hostID?: number | undefined;
  readonly size?: number | undefined;
}

function idMappings(
  given: readonly ConfiguredMapping[] = [],
): readonly { readonly containerId: number; readonly hostId: number; readonly size: number }[] {
  return given.map(({ containerID = 0, hostID = 0, size = 0 }) => ({ containerId: containerID, hostId: hostID, size }));
}
