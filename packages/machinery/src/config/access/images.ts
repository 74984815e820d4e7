/** References of the images a node runs: those of the configuration, else the defaults. */

import { defaultKubernetesVersion, imageRepositories, imageTags } from "../../constants/index.ts";
import type { Config } from "../config.ts";

/** Name of an image that a configuration refers to. */
export type ImageName = keyof typeof imageRepositories;

const kubernetesImages = ["apiServer", "controllerManager", "kubelet", "proxy", "scheduler"] as const;

type KubernetesImage = (typeof kubernetesImages)[number];

function isKubernetesImage(name: ImageName): name is KubernetesImage {
  return (kubernetesImages as readonly string[]).includes(name);
}

/** Reference of an image by the defaults. `kubernetesVersion` has no leading `v`. */
export function defaultImage(name: ImageName, kubernetesVersion: string = defaultKubernetesVersion): string {
  const tag = isKubernetesImage(name) ? `v${kubernetesVersion}` : imageTags[name];
  return `${imageRepositories[name]}:${tag}`;
}

/** Every image by name. */
export function imagesOf({ machine, cluster }: Config): Readonly<Record<ImageName, string>> {
  const given: Partial<Record<ImageName, string | undefined>> = {
    apiServer: cluster?.apiServer?.image,
    controllerManager: cluster?.controllerManager?.image,
    coreDNS: cluster?.coreDNS?.image,
    etcd: cluster?.etcd?.image,
    kubelet: machine?.kubelet?.image,
    proxy: cluster?.proxy?.image,
    scheduler: cluster?.scheduler?.image,
  };
  const of = (name: ImageName): string => given[name] || defaultImage(name);
  return {
    apiServer: of("apiServer"),
    controllerManager: of("controllerManager"),
    coreDNS: of("coreDNS"),
    etcd: of("etcd"),
    flannel: of("flannel"),
    kubeNetworkPolicies: of("kubeNetworkPolicies"),
    kubelet: of("kubelet"),
    pause: of("pause"),
    proxy: of("proxy"),
    scheduler: of("scheduler"),
  };
}
