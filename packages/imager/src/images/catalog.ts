import type { ProcessConfig } from "./image-config.ts";
import type { ProgramName } from "./programs.ts";

/** Images of a cluster, by the names that the machine configuration has for them. */
export const imageNames = [
  "pause",
  "etcd",
  "apiServer",
  "controllerManager",
  "scheduler",
  "proxy",
  "kubelet",
  "flannel",
  "coreDNS",
] as const;
export type ImageName = (typeof imageNames)[number];

/** A program's place in a layer, and other names it is called by: some decide by their name what they are. */
export interface Placement {
  readonly program: ProgramName;
  readonly path: string;
  readonly links?: readonly string[];
  /** May bind ports below 1024 although it does not run as root. */
  readonly bindsLowPorts?: true;
}

/** Layers that are made of programs; `static` and `tools` are the two below them. */
export const programLayers = {
  pause: [{ program: "pause", path: "pause" }],
  etcd: [{ program: "etcd", path: "usr/local/bin/etcd", links: ["etcdctl", "etcdutl"] }],
  kubernetes: [
    {
      program: "kubernetes",
      path: "usr/local/bin/kube-apiserver",
      links: ["kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "kubectl"],
    },
  ],
  flannel: [
    { program: "flanneld", path: "opt/bin/flanneld" },
    // Clusters that are older than the plugin in the root file system copy it from here.
    { program: "flannel-cni", path: "opt/cni/bin/flannel" },
  ],
  coredns: [{ program: "coredns", path: "coredns", bindsLowPorts: true }],
} as const satisfies Readonly<Record<string, readonly Placement[]>>;

export type LayerName = keyof typeof programLayers | "static" | "tools";

export interface ImageRecipe {
  /** From the bottom to the top. */
  readonly layers: readonly LayerName[];
  readonly process: ProcessConfig;
}

const kubernetes = (program: string, ...below: readonly LayerName[]): ImageRecipe => ({
  layers: [...below, "kubernetes"],
  process: { Entrypoint: [`/usr/local/bin/${program}`] },
});

/**
 * Recipes of the images. Images share layers from the bottom up, so that a node stores and unpacks each of them once:
 * five images are the one program `kubernetes`.
 */
export const catalog: Readonly<Record<ImageName, ImageRecipe>> = {
  pause: { layers: ["pause"], process: { Entrypoint: ["/pause"], User: "65535:65535" } },
  etcd: { layers: ["static", "etcd"], process: { Entrypoint: ["/usr/local/bin/etcd"] } },
  apiServer: kubernetes("kube-apiserver", "static", "tools"),
  controllerManager: kubernetes("kube-controller-manager", "static", "tools"),
  scheduler: kubernetes("kube-scheduler", "static", "tools"),
  proxy: kubernetes("kube-proxy", "static", "tools"),
  kubelet: kubernetes("kubelet", "static", "tools"),
  flannel: { layers: ["static", "tools", "flannel"], process: { Entrypoint: ["/opt/bin/flanneld"] } },
  coreDNS: { layers: ["static", "coredns"], process: { Entrypoint: ["/coredns"], User: "65532:65532" } },
};
