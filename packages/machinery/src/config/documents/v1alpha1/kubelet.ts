import { boolean, string } from "../../schema/scalars.ts";
import { any, field, list, object } from "../../schema/type.ts";
import { extraArgs, extraMount } from "./common.ts";

const nodeIP = object("v1alpha1.KubeletNodeIPConfig", "Which addresses of the node the kubelet announces.", {
  validSubnets: field(list(string()), "Networks to choose addresses from; a leading ! excludes a network.", {
    example: ["10.0.0.0/8", "!10.0.0.3/32", "fdc7::/16"],
  }),
});

export const kubelet = object("v1alpha1.KubeletConfig", "The kubelet of this machine.", {
  image: field(string(), "Image of the kubelet.", { example: "ghcr.io/siderolabs/kubelet:v1.36.3" }),
  clusterDNS: field(list(string()), "DNS servers given to pods instead of the cluster's own.", {
    example: ["10.96.0.10", "169.254.2.53"],
  }),
  extraArgs: field(extraArgs, "More command line arguments of the kubelet.", {
    example: { "feature-gates": "ServerSideApply=true" },
  }),
  extraMounts: field(list(extraMount), "Host paths the kubelet container also sees.", {
    example: [
      { destination: "/var/lib/example", type: "bind", source: "/var/lib/example", options: ["bind", "rshared", "rw"] },
    ],
  }),
  extraConfig: field(any, "More fields of the kubelet's own configuration file.", {
    example: { serverTLSBootstrap: true },
  }),
  credentialProviderConfig: field(any, "Configuration of the image credential providers."),
  defaultRuntimeSeccompProfileEnabled: field(
    boolean,
    "Runs every workload with the runtime's seccomp profile unless it chooses one.",
  ),
  registerWithFQDN: field(boolean, "Registers the node with its fully qualified name; not needed on AWS."),
  nodeIP: field(nodeIP, "Which addresses the kubelet announces for the node."),
  skipNodeRegistration: field(boolean, "Runs the kubelet without registering a node; only static pods work then."),
  disableManifestsDirectory: field(
    boolean,
    "Keeps the kubelet from reading static pods from /etc/kubernetes/manifests.",
  ),
});
