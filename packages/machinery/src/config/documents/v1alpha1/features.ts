import { boolean, integer, string } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";

const talosAPIAccess = object("v1alpha1.KubernetesTalosAPIAccessConfig", "Access to the machine API from pods.", {
  enabled: property(boolean, "Whether pods may ask for access."),
  allowedRoles: property(array(string()), "Roles that may be given to pods.", { example: ["os:reader"] }),
  allowedKubernetesNamespaces: property(array(string()), "Namespaces whose pods may be given access.", {
    example: ["kube-system"],
  }),
});

const kubePrism = object("v1alpha1.KubePrism", "The load balancer for the Kubernetes API on every node.", {
  enabled: property(boolean, "Whether it runs."),
  port: property(integer(), "Port on the node.", { default: "7445" }),
});

const hostDNS = object("v1alpha1.HostDNSConfig", "The caching DNS server of the host.", {
  enabled: property(boolean, "Whether it runs."),
  forwardKubeDNSToHost: property(boolean, "Makes it the upstream of the cluster's DNS."),
  resolveMemberNames: property(boolean, "Answers for the names of cluster members."),
});

const imageCache = object("v1alpha1.ImageCacheConfig", "The cache of images on the boot disk.", {
  localEnabled: property(boolean, "Whether the cache on the disk is used."),
});

export const features = object("v1alpha1.FeaturesConfig", "Switches of single features.", {
  rbac: property(boolean, "Role based access to the machine API; always on.", { hidden: true }),
  stableHostname: property(boolean, "Derives the default host name from the machine's identity.", {
    deprecated: "use a HostnameConfig document",
  }),
  kubernetesTalosAPIAccess: property(talosAPIAccess, "Access to the machine API from pods."),
  apidCheckExtKeyUsage: property(boolean, "Checks the extended key usage of client certificates; always on.", {
    hidden: true,
  }),
  diskQuotaSupport: property(boolean, "Project quotas on EPHEMERAL, for limits of ephemeral storage."),
  kubePrism: property(kubePrism, "The load balancer for the Kubernetes API."),
  hostDNS: property(hostDNS, "The DNS server of the host."),
  imageCache: property(imageCache, "The cache of images."),
  nodeAddressSortAlgorithm: property(string(), "How addresses of the node are sorted: v1 or v2."),
});
