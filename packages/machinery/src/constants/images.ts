/** Repositories of the images a node runs. */
export const imageRepositories = {
  apiServer: "registry.k8s.io/kube-apiserver",
  controllerManager: "registry.k8s.io/kube-controller-manager",
  coreDNS: "registry.k8s.io/coredns/coredns",
  etcd: "registry.k8s.io/etcd",
  flannel: "ghcr.io/siderolabs/flannel",
  kubeNetworkPolicies: "registry.k8s.io/networking/kube-network-policies",
  kubelet: "ghcr.io/siderolabs/kubelet",
  pause: "registry.k8s.io/pause",
  proxy: "registry.k8s.io/kube-proxy",
  scheduler: "registry.k8s.io/kube-scheduler",
} as const;

/** Tags of the images whose version does not follow that of Kubernetes. */
export const imageTags = {
  coreDNS: "v1.14.7",
  etcd: "v3.6.16",
  flannel: "0.28.9",
  kubeNetworkPolicies: "v1.1.0",
  pause: "3.10.1",
} as const;
