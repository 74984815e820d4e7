import { boolean, string } from "../../schema/scalars.ts";
import { any, property, array, object } from "../../schema/type.ts";
import { extraArgs, extraMount } from "./common.ts";

const nodeIP = object("v1alpha1.KubeletNodeIPConfig", "Which addresses of the node the kubelet announces.", {
  validSubnets: property(array(string()), "Networks to choose addresses from; a leading ! excludes a network.", {
    example: ["10.0.0.0/8", "!10.0.0.3/32", "fdc7::/16"],
  }),
});

export const kubelet = object("v1alpha1.KubeletConfig", "The kubelet of this machine.", {
  image: property(string(), "Image of the kubelet.", { example: "ghcr.io/siderolabs/kubelet:v1.36.3" }),
  clusterDNS: property(array(string()), "DNS servers given to pods instead of the cluster's own.", {
    example: ["10.96.0.10", "169.254.2.53"],
  }),
  extraArgs: property(extraArgs, "More command line arguments of the kubelet.", {
    example: { "feature-gates": "ServerSideApply=true" },
  }),
  extraMounts: property(array(extraMount), "Host paths the kubelet container also sees.", {
    example: [
      { destination: "/var/lib/example", type: "bind", source: "/var/lib/example", options: ["bind", "rshared", "rw"] },
    ],
  }),
  extraConfig: property(any, "More fields of the kubelet's own configuration file.", {
    example: { serverTLSBootstrap: true },
  }),
  credentialProviderConfig: property(any, "Configuration of the image credential providers."),
  defaultRuntimeSeccompProfileEnabled: property(
    boolean,
    "Runs every workload with the runtime's seccomp profile unless it chooses one.",
  ),
  registerWithFQDN: property(boolean, "Registers the node with its fully qualified name; not needed on AWS."),
  nodeIP: property(nodeIP, "Which addresses the kubelet announces for the node."),
  skipNodeRegistration: property(boolean, "Runs the kubelet without registering a node; only static pods work then."),
  disableManifestsDirectory: property(
    boolean,
    "Keeps the kubelet from reading static pods from /etc/kubernetes/manifests.",
  ),
});
