import { durationFormat, urlFormat } from "../../schema/formats.ts";
import { boolean, integer, string } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";
import { apiServer, controllerManager, coreDNS, etcd, proxy, scheduler } from "./cluster-pods.ts";
import { certificateAndKey, certificates, labels, privateKey } from "./common.ts";
import { inlineManifestList } from "./inline-manifest.ts";

const controlPlane = object("v1alpha1.ControlPlaneConfig", "How the Kubernetes API is reached.", {
  endpoint: property(
    { ...urlFormat("https"), zero: null, json: { type: "string", format: "uri", pattern: "^https://" } } as const,
    "Address of the Kubernetes API, the same for all nodes.",
    { always: true, example: "https://1.2.3.4:6443" },
  ),
  localAPIServerPort: property(integer(), "Port of the API server on this node.", { default: "6443" }),
});

const flannel = object("v1alpha1.FlannelCNIConfig", "The built-in network.", {
  extraArgs: property(array(string()), "More arguments of flanneld.", { example: ["--iface-can-reach=192.168.1.1"] }),
  kubeNetworkPoliciesEnabled: property(boolean, "Whether network policies are enforced."),
});

const cni = object("v1alpha1.CNIConfig", "The pod network.", {
  name: property(string({ values: ["flannel", "custom", "none"] }), "Which network is installed."),
  urls: property(array(string()), "Manifests of a custom network."),
  flannel: property(flannel, "The built-in network."),
});

const network = object("v1alpha1.ClusterNetworkConfig", "Networks of the cluster.", {
  cni: property(cni, "The pod network."),
  dnsDomain: property(string(), "DNS domain of the cluster.", { always: true, example: "cluster.local" }),
  podSubnets: property(array(string()), "Networks of pods.", {
    always: true,
    replace: true,
    example: ["10.244.0.0/16"],
  }),
  serviceSubnets: property(array(string()), "Networks of services.", {
    always: true,
    replace: true,
    example: ["10.96.0.0/12"],
  }),
});

const kubernetesRegistry = object("v1alpha1.RegistryKubernetesConfig", "Discovery through Kubernetes nodes.", {
  disabled: property(boolean, "Whether it is off."),
});

const serviceRegistry = object("v1alpha1.RegistryServiceConfig", "Discovery through the discovery service.", {
  disabled: property(boolean, "Whether it is off."),
  endpoint: property(string(), "Address of the service.", { default: "https://discovery.talos.dev/" }),
});

const discoveryRegistries = object("v1alpha1.DiscoveryRegistriesConfig", "Where members find each other.", {
  kubernetes: property(kubernetesRegistry, "Discovery through Kubernetes nodes.", { always: true, inlineStruct: true }),
  service: property(serviceRegistry, "Discovery through the discovery service.", { always: true, inlineStruct: true }),
});

const discovery = object("v1alpha1.ClusterDiscoveryConfig", "How members of the cluster find each other.", {
  enabled: property(boolean, "Whether members are discovered."),
  registries: property(discoveryRegistries, "Where members find each other.", { always: true, inlineStruct: true }),
});

const externalCloudProvider = object("v1alpha1.ExternalCloudProviderConfig", "An external cloud provider.", {
  enabled: property(boolean, "Whether one is used."),
  manifests: property(array(string()), "Manifests of the provider."),
});

const adminKubeconfig = object("v1alpha1.AdminKubeconfigConfig", "The kubeconfig of administrators.", {
  certLifetime: property(durationFormat, "How long its certificate is valid; at least one minute.", {
    default: "1 year",
  }),
});

export const cluster = object("v1alpha1.ClusterConfig", "The cluster.", {
  id: property(string(), "Globally unique id of the cluster."),
  secret: property(string(), "Secret shared by the members, for discovery.", { secret: true }),
  controlPlane: property(controlPlane, "How the Kubernetes API is reached.", { always: true }),
  clusterName: property(string(), "Name of the cluster."),
  network: property(network, "Networks of the cluster."),
  token: property(string(), "Token with which nodes join Kubernetes.", {
    secret: true,
    example: "wlzjyw.bei2zfylhs2by0wd",
  }),
  aescbcEncryptionSecret: property(string(), "Key for AES-CBC encryption of secrets in etcd.", { secret: true }),
  secretboxEncryptionSecret: property(string(), "Key for secretbox encryption of secrets in etcd.", { secret: true }),
  ca: property(certificateAndKey, "Certificate authority of Kubernetes."),
  acceptedCAs: property(certificates, "More certificate authorities Kubernetes accepts."),
  aggregatorCA: property(certificateAndKey, "Certificate authority of the aggregation layer."),
  serviceAccount: property(privateKey, "Key that signs service account tokens."),
  apiServer: property(apiServer, "The API server."),
  controllerManager: property(controllerManager, "The controller manager."),
  proxy: property(proxy, "kube-proxy."),
  scheduler: property(scheduler, "The scheduler."),
  discovery: property(discovery, "Discovery of members."),
  etcd: property(etcd, "etcd."),
  coreDNS: property(coreDNS, "CoreDNS."),
  externalCloudProvider: property(externalCloudProvider, "An external cloud provider."),
  extraManifests: property(array(string()), "Manifests applied at bootstrap.", {
    keepEmpty: true,
    example: ["https://www.example.com/manifest1.yaml"],
  }),
  extraManifestHeaders: property(labels, "HTTP headers for fetching manifests."),
  inlineManifests: property(inlineManifestList, "Manifests applied at bootstrap, given here.", {
    keepEmpty: true,
    example: [{ name: "namespace-ci", contents: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ci\n" }],
  }),
  adminKubeconfig: property(adminKubeconfig, "The kubeconfig of administrators."),
  allowSchedulingOnMasters: property(boolean, "Runs workloads on control plane nodes.", {
    deprecated: "use allowSchedulingOnControlPlanes",
  }),
  allowSchedulingOnControlPlanes: property(boolean, "Runs workloads on control plane nodes."),
});
