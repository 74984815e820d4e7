/** A namespace and what people read about it in `talosctl get namespaces -o yaml`. */
export interface NamespaceDefinition {
  readonly name: string;
  readonly description: string;
}

/** The namespaces a node registers besides `meta`, in the order in which it registers them. */
export const namespaces: readonly NamespaceDefinition[] = [
  { name: "runtime", description: "Talos v1alpha1 subsystems glue resources." },
  { name: "cluster", description: "Cluster configuration and discovery resources." },
  { name: "cluster-raw", description: "Cluster unmerged raw resources." },
  { name: "config", description: "Talos node configuration." },
  { name: "etcd", description: "etcd resources." },
  { name: "files", description: "Files and file-like resources." },
  { name: "hardware", description: "Hardware resources." },
  { name: "k8s", description: "Kubernetes all node types resources." },
  { name: "controlplane", description: "Kubernetes control plane resources." },
  { name: "kubespan", description: "KubeSpan resources." },
  { name: "network", description: "Networking resources." },
  { name: "network-config", description: "Networking configuration resources." },
  { name: "cri", description: "CRI Seccomp resources." },
  { name: "secrets", description: "Resources with secret material." },
  { name: "security", description: "Security resources." },
  { name: "perf", description: "Stats resources." },
];
