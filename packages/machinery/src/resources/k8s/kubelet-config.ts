import { bool, defineResource, field, list, map, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";
import { argValues } from "./arg-values.ts";
import { kubeletMount } from "./kubelet-mount.ts";

/** Settings of the kubelet in the machine configuration. */
export const KubeletConfig = defineResource({
  type: "KubeletConfigs.kubernetes.talos.dev",
  namespace: "k8s",
  sensitivity: "sensitive",
  id: "kubelet",
  spec: {
    image: field(1, text),
    clusterDNS: field(2, list(text)),
    clusterDomain: field(3, text),
    extraArgs: omitEmpty(15, map(argValues)),
    extraMounts: omitEmpty(5, list(kubeletMount)),
    extraConfig: omitEmpty(6, struct),
    cloudProviderExternal: field(7, bool),
    defaultRuntimeSeccompEnabled: field(8, bool),
    skipNodeRegistration: field(9, bool),
    staticPodListURL: field(10, text),
    disableManifestsDirectory: field(11, bool),
    enableFSQuotaMonitoring: field(12, bool),
    credentialProviderConfig: omitEmpty(13, struct),
    allowSchedulingOnControlPlane: field(14, bool),
  },
});

export type KubeletConfigSpec = SpecOf<typeof KubeletConfig>;
