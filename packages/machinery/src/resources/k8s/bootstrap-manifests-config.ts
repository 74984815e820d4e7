import { bool, defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** Parameters of the built-in manifests. */
export const BootstrapManifestsConfig = defineResource({
  type: "BootstrapManifestsConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  id: "manifests",
  spec: {
    server: field(1, text, "string"),
    clusterDomain: field(2, text),
    podCIDRs: field(3, list(text)),
    proxyEnabled: field(4, bool),
    proxyImage: field(5, text),
    proxyArgs: field(6, list(text)),
    coreDNSEnabled: field(7, bool),
    coreDNSImage: field(8, text),
    dnsServiceIP: field(9, text),
    dnsServiceIPv6: field(10, text),
    flannelEnabled: field(11, bool),
    flannelImage: field(12, text),
    flannelExtraArgs: field(16, list(text)),
    flannelKubeServiceHost: field(17, text),
    flannelKubeServicePort: field(18, text),
    flannelKubeNetworkPoliciesEnabled: field(19, bool),
    flannelKubeNetworkPoliciesImage: field(20, text),
    podSecurityPolicyEnabled: field(14, bool),
    talosAPIServiceEnabled: field(15, bool),
    cniName: field(21, text),
  },
});

export type BootstrapManifestsConfigSpec = SpecOf<typeof BootstrapManifestsConfig>;
