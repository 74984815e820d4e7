import { boolean, integer, string } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";

const talosAPIAccess = object("v1alpha1.KubernetesTalosAPIAccessConfig", "Access to the machine API from pods.", {
  enabled: field(boolean, "Whether pods may ask for access."),
  allowedRoles: field(list(string()), "Roles that may be given to pods.", { example: ["os:reader"] }),
  allowedKubernetesNamespaces: field(list(string()), "Namespaces whose pods may be given access.", {
    example: ["kube-system"],
  }),
});

const kubePrism = object("v1alpha1.KubePrism", "The load balancer for the Kubernetes API on every node.", {
  enabled: field(boolean, "Whether it runs."),
  port: field(integer(), "Port on the node.", { default: "7445" }),
});

const hostDNS = object("v1alpha1.HostDNSConfig", "The caching DNS server of the host.", {
  enabled: field(boolean, "Whether it runs."),
  forwardKubeDNSToHost: field(boolean, "Makes it the upstream of the cluster's DNS."),
  resolveMemberNames: field(boolean, "Answers for the names of cluster members."),
});

const imageCache = object("v1alpha1.ImageCacheConfig", "The cache of images on the boot disk.", {
  localEnabled: field(boolean, "Whether the cache on the disk is used."),
});

export const features = object("v1alpha1.FeaturesConfig", "Switches of single features.", {
  rbac: field(boolean, "Role based access to the machine API; always on.", { hidden: true }),
  stableHostname: field(boolean, "Derives the default host name from the machine's identity.", {
    deprecated: "use a HostnameConfig document",
  }),
  kubernetesTalosAPIAccess: field(talosAPIAccess, "Access to the machine API from pods."),
  apidCheckExtKeyUsage: field(boolean, "Checks the extended key usage of client certificates; always on.", {
    hidden: true,
  }),
  diskQuotaSupport: field(boolean, "Project quotas on EPHEMERAL, for limits of ephemeral storage."),
  kubePrism: field(kubePrism, "The load balancer for the Kubernetes API."),
  hostDNS: field(hostDNS, "The DNS server of the host."),
  imageCache: field(imageCache, "The cache of images."),
  nodeAddressSortAlgorithm: field(string(), "How addresses of the node are sorted: v1 or v2."),
});
