import { duration, url } from "../../schema/formats.ts";
import { boolean, integer, string } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";
import { apiServer, controllerManager, coreDNS, etcd, proxy, scheduler } from "./cluster-pods.ts";
import { certificateAndKey, certificates, labels, privateKey } from "./common.ts";
import { inlineManifestList } from "./inline-manifest.ts";

const controlPlane = object("v1alpha1.ControlPlaneConfig", "How the Kubernetes API is reached.", {
  endpoint: field(
    { ...url("https"), zero: null, json: { type: "string", format: "uri", pattern: "^https://" } } as const,
    "Address of the Kubernetes API, the same for all nodes.",
    { always: true, example: "https://1.2.3.4:6443" },
  ),
  localAPIServerPort: field(integer(), "Port of the API server on this node.", { default: "6443" }),
});

const flannel = object("v1alpha1.FlannelCNIConfig", "The built-in network.", {
  extraArgs: field(list(string()), "More arguments of flanneld.", { example: ["--iface-can-reach=192.168.1.1"] }),
  kubeNetworkPoliciesEnabled: field(boolean, "Whether network policies are enforced."),
});

const cni = object("v1alpha1.CNIConfig", "The pod network.", {
  name: field(string({ values: ["flannel", "custom", "none"] }), "Which network is installed."),
  urls: field(list(string()), "Manifests of a custom network."),
  flannel: field(flannel, "The built-in network."),
});

const network = object("v1alpha1.ClusterNetworkConfig", "Networks of the cluster.", {
  cni: field(cni, "The pod network."),
  dnsDomain: field(string(), "DNS domain of the cluster.", { always: true, example: "cluster.local" }),
  podSubnets: field(list(string()), "Networks of pods.", { always: true, replace: true, example: ["10.244.0.0/16"] }),
  serviceSubnets: field(list(string()), "Networks of services.", {
    always: true,
    replace: true,
    example: ["10.96.0.0/12"],
  }),
});

const kubernetesRegistry = object("v1alpha1.RegistryKubernetesConfig", "Discovery through Kubernetes nodes.", {
  disabled: field(boolean, "Whether it is off."),
});

const serviceRegistry = object("v1alpha1.RegistryServiceConfig", "Discovery through the discovery service.", {
  disabled: field(boolean, "Whether it is off."),
  endpoint: field(string(), "Address of the service.", { default: "https://discovery.talos.dev/" }),
});

const discoveryRegistries = object("v1alpha1.DiscoveryRegistriesConfig", "Where members find each other.", {
  kubernetes: field(kubernetesRegistry, "Discovery through Kubernetes nodes.", { always: true, inlineStruct: true }),
  service: field(serviceRegistry, "Discovery through the discovery service.", { always: true, inlineStruct: true }),
});

const discovery = object("v1alpha1.ClusterDiscoveryConfig", "How members of the cluster find each other.", {
  enabled: field(boolean, "Whether members are discovered."),
  registries: field(discoveryRegistries, "Where members find each other.", { always: true, inlineStruct: true }),
});

const externalCloudProvider = object("v1alpha1.ExternalCloudProviderConfig", "An external cloud provider.", {
  enabled: field(boolean, "Whether one is used."),
  manifests: field(list(string()), "Manifests of the provider."),
});

const adminKubeconfig = object("v1alpha1.AdminKubeconfigConfig", "The kubeconfig of administrators.", {
  certLifetime: field(duration, "How long its certificate is valid; at least one minute.", { default: "1 year" }),
});

export const cluster = object("v1alpha1.ClusterConfig", "The cluster.", {
  id: field(string(), "Globally unique id of the cluster."),
  secret: field(string(), "Secret shared by the members, for discovery.", { secret: true }),
  controlPlane: field(controlPlane, "How the Kubernetes API is reached.", { always: true }),
  clusterName: field(string(), "Name of the cluster."),
  network: field(network, "Networks of the cluster."),
  token: field(string(), "Token with which nodes join Kubernetes.", {
    secret: true,
    example: "wlzjyw.bei2zfylhs2by0wd",
  }),
  aescbcEncryptionSecret: field(string(), "Key for AES-CBC encryption of secrets in etcd.", { secret: true }),
  secretboxEncryptionSecret: field(string(), "Key for secretbox encryption of secrets in etcd.", { secret: true }),
  ca: field(certificateAndKey, "Certificate authority of Kubernetes."),
  acceptedCAs: field(certificates, "More certificate authorities Kubernetes accepts."),
  aggregatorCA: field(certificateAndKey, "Certificate authority of the aggregation layer."),
  serviceAccount: field(privateKey, "Key that signs service account tokens."),
  apiServer: field(apiServer, "The API server."),
  controllerManager: field(controllerManager, "The controller manager."),
  proxy: field(proxy, "kube-proxy."),
  scheduler: field(scheduler, "The scheduler."),
  discovery: field(discovery, "Discovery of members."),
  etcd: field(etcd, "etcd."),
  coreDNS: field(coreDNS, "CoreDNS."),
  externalCloudProvider: field(externalCloudProvider, "An external cloud provider."),
  extraManifests: field(list(string()), "Manifests applied at bootstrap.", {
    keepEmpty: true,
    example: ["https://www.example.com/manifest1.yaml"],
  }),
  extraManifestHeaders: field(labels, "HTTP headers for fetching manifests."),
  inlineManifests: field(inlineManifestList, "Manifests applied at bootstrap, given here.", {
    keepEmpty: true,
    example: [{ name: "namespace-ci", contents: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ci\n" }],
  }),
  adminKubeconfig: field(adminKubeconfig, "The kubeconfig of administrators."),
  allowSchedulingOnMasters: field(boolean, "Runs workloads on control plane nodes.", {
    deprecated: "use allowSchedulingOnControlPlanes",
  }),
  allowSchedulingOnControlPlanes: field(boolean, "Runs workloads on control plane nodes."),
});
