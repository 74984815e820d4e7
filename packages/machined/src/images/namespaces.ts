import { paths } from "@talos-ts/machinery/constants";

/** Containerd and namespace in which images are kept, by the name the API has for them. */
export const imageNamespaces = {
  /** Images of pods. */
  cri: { socket: paths.criContainerdSocket, namespace: "k8s.io" },
  /** Images of etcd and the kubelet. */
  system: { socket: paths.criContainerdSocket, namespace: "system" },
  /** Images of the system containerd, in memory. */
  inmem: { socket: paths.systemContainerdSocket, namespace: "system" },
} as const satisfies Record<string, { readonly socket: string; readonly namespace: string }>;

export type ImageNamespace = keyof typeof imageNamespaces;
