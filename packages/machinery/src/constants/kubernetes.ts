/** Files of Kubernetes on a node. */
export const kubernetesPaths = {
  /** Certificate authorities the kubelet accepts clients of. */
  caCertificate: "/etc/kubernetes/pki/ca.crt",
  kubeletConfig: "/etc/kubernetes/kubelet.yaml",
  /** Access by token, for the kubelet's first certificate. */
  bootstrapKubeconfig: "/etc/kubernetes/bootstrap-kubeconfig",
  /** Access by certificate, written by the kubelet when it starts, also before it has one. */
  kubeletKubeconfig: "/etc/kubernetes/kubeconfig-kubelet",
  credentialProviderConfig: "/etc/kubernetes/kubelet-credentialproviderconfig.yaml",
  credentialProviders: "/usr/local/lib/kubelet/credentialproviders",
  staticPodManifests: "/etc/kubernetes/manifests",
  kubeletData: "/var/lib/kubelet",
  kubeletPki: "/var/lib/kubelet/pki",
  /** The kubelet's client certificate, which it has once it joined. */
  kubeletCertificate: "/var/lib/kubelet/pki/kubelet-client-current.pem",
  auditLog: "/var/log/audit/kube",
  /** Secrets of the control plane pods, one folder for each. */
  podSecrets: "/system/secrets/kubernetes",
  /** Configuration files of the control plane pods, one folder for each. */
  podConfigs: "/system/config/kubernetes",
} as const;

/** TCP port of the kubelet API. */
export const kubeletPort = 10_250;
/** TCP port of the kubelet health endpoint, on the loopback address. */
export const kubeletHealthPort = 10_248;

/** Ids of the control plane components: of their pods, resources and folders. */
export const controlPlaneComponents = {
  apiServer: "kube-apiserver",
  controllerManager: "kube-controller-manager",
  scheduler: "kube-scheduler",
} as const;

/** Users and groups the control plane pods run as. */
export const controlPlaneUsers = { apiServer: 65_534, controllerManager: 65_535, scheduler: 65_536 } as const;

/** Label of Kubernetes nodes that run the control plane. */
export const controlPlaneRoleLabel = "node-role.kubernetes.io/control-plane";
