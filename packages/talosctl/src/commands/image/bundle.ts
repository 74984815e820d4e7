import { imageRepositories, imageTags } from "@talos-ts/machinery/constants";

/** Versions of what a cluster is made of; those of images with a version of their own can be replaced. */
export interface BundleVersions {
  readonly kubernetes: string;
  readonly coreDNS?: string;
  readonly etcd?: string;
  readonly flannel?: string;
  readonly kubeNetworkPolicies?: string;
  readonly pause?: string;
}

/** References of the images of Kubernetes, in the order a cluster needs them. */
export function kubernetesBundle(versions: BundleVersions): readonly string[] {
  const kubernetes = `v${versions.kubernetes.replace(/^v/, "")}`;
  const tags: Readonly<Record<keyof typeof imageRepositories, string>> = {
    flannel: versions.flannel ?? imageTags.flannel,
    kubeNetworkPolicies: versions.kubeNetworkPolicies ?? imageTags.kubeNetworkPolicies,
    coreDNS: versions.coreDNS ?? imageTags.coreDNS,
    etcd: versions.etcd ?? imageTags.etcd,
    pause: versions.pause ?? imageTags.pause,
    apiServer: kubernetes,
    controllerManager: kubernetes,
    scheduler: kubernetes,
    proxy: kubernetes,
    kubelet: kubernetes,
  };
  const names = Object.keys(tags) as (keyof typeof tags)[];
  return names.map((name) => `${imageRepositories[name]}:${tags[name]}`);
}

/** Images by which machines are installed, upgraded and described. */
const talosImages = ["installer", "installer-base", "imager", "talos", "talosctl-all"] as const;

export function talosBundle(version: string): readonly string[] {
  return talosImages.map((name) => `ghcr.io/siderolabs/${name}:v${version.replace(/^v/, "")}`);
}
