import type { Controller } from "@talos-ts/cosi";
import { clusterNetworksOf, imagesOf, kubePrismOf, type Config } from "@talos-ts/machinery/config";
import { BootstrapManifestsConfig, type BootstrapManifestsConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { isIPv6, nthAddress } from "@talos-ts/base/net";
import { mergeArguments, renderArguments } from "../../command-line/arguments.ts";
import { argumentsFromConfig } from "../internal/argument-values.ts";
import { controlPlaneConfigController, type ControlPlaneConfig } from "./internal/control-plane-config.ts";
import { compareVersions, versionOfImage } from "./internal/kubernetes-version.ts";

/** Publishes what the built-in manifests are rendered from: kube-proxy, cluster DNS, the pod network, access to the API. */
export function controlPlaneBootstrapManifestsController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneBootstrapManifestsController",
    output: BootstrapManifestsConfig,
    make: manifestsConfig,
  });
}

function manifestsConfig({ config, machine, cluster }: ControlPlaneConfig): BootstrapManifestsConfigSpec {
  const { dnsDomain, podSubnets, serviceSubnets, cni } = clusterNetworksOf(config);
  const kubePrism = kubePrismOf(config);
  const images = imagesOf(config);
  // The tenth address of each service network is that of cluster DNS.
  const dnsAddresses = serviceSubnets.map((subnet) => nthAddress(subnet, 10));
  return BootstrapManifestsConfig.spec({
    server: kubePrism.enabled ? `https://127.0.0.1:${String(kubePrism.port)}` : cluster.controlPlane?.endpoint,
    clusterDomain: dnsDomain,
    podCIDRs: podSubnets,
    proxyEnabled: cluster.proxy?.disabled !== true,
    proxyImage: images.proxy,
    proxyArgs: proxyArgs(config, podSubnets),
    coreDNSEnabled: cluster.coreDNS?.disabled !== true,
    coreDNSImage: images.coreDNS,
    dnsServiceIP: dnsAddresses.find((address) => !isIPv6(address)) ?? "",
    dnsServiceIPv6: dnsAddresses.find((address) => isIPv6(address)) ?? "",
    flannelEnabled: cni.name === "flannel",
    flannelImage: images.flannel,
    flannelExtraArgs: cni.flannelExtraArgs,
    flannelKubeServiceHost: kubePrism.enabled ? "127.0.0.1" : "",
    flannelKubeServicePort: kubePrism.enabled ? String(kubePrism.port) : "",
    flannelKubeNetworkPoliciesEnabled: cluster.network?.cni?.flannel?.kubeNetworkPoliciesEnabled === true,
    flannelKubeNetworkPoliciesImage: images.kubeNetworkPolicies,
    talosAPIServiceEnabled: machine.features?.kubernetesTalosAPIAccess?.enabled === true,
    cniName: cni.name,
  });
}

function proxyArgs(config: Config, podSubnets: readonly string[]): readonly string[] {
  const { mode, extraArgs } = config.cluster?.proxy ?? {};
  // The nftables backend is stable since Kubernetes 1.31.
  const newest = compareVersions(versionOfImage(imagesOf(config).proxy), "1.31.0") >= 0 ? "nftables" : "iptables";
  const ours = {
    "cluster-cidr": [podSubnets.join(",")],
    "hostname-override": ["$(NODE_NAME)"],
    kubeconfig: ["/etc/kubernetes/kubeconfig"],
    "proxy-mode": [mode || newest],
    "conntrack-max-per-core": ["0"],
  };
  return renderArguments(mergeArguments(ours, argumentsFromConfig(extraArgs), { kubeconfig: "denied" }));
}
