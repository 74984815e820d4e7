import { defaultKubernetesVersion, imageTags } from "@talos-ts/machinery/constants";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";
import { kubernetesBundle } from "./bundle.ts";

const version = (name: string, flag: string, value: string) =>
  ({ flags: `--${flag} <version>`, description: `version of ${name}`, default: value }) as const;

export const command: CommandDefinition = {
  description:
    "Prints the references of the images that a cluster needs, one per line, as `image cache-create` reads them.",
  talksToNodes: false,
  options: [
    version("Kubernetes", "k8s-version", defaultKubernetesVersion),
    version("CoreDNS", "coredns-version", imageTags.coreDNS),
    version("etcd", "etcd-version", imageTags.etcd),
    version("flannel", "flannel-version", imageTags.flannel),
    version("kube-network-policies", "kube-network-policies-version", imageTags.kubeNetworkPolicies),
    version("the sandbox of pods", "pause-version", imageTags.pause),
  ],
  examples: ["talosctl image k8s-bundle", "talosctl image k8s-bundle --k8s-version 1.36.3"],
  async run(invocation) {
    const of = (name: string, otherwise: string): string => textOption(invocation, name) ?? otherwise;
    const images = kubernetesBundle({
      kubernetes: of("k8sVersion", defaultKubernetesVersion),
      coreDNS: of("corednsVersion", imageTags.coreDNS),
      etcd: of("etcdVersion", imageTags.etcd),
      flannel: of("flannelVersion", imageTags.flannel),
      kubeNetworkPolicies: of("kubeNetworkPoliciesVersion", imageTags.kubeNetworkPolicies),
      pause: of("pauseVersion", imageTags.pause),
    });
    invocation.io.out(`${images.join("\n")}\n`);
  },
};
