/** The pods of the control plane. */

import { boolean, string } from "../../schema/scalars.ts";
import { any, property, array, object } from "../../schema/type.ts";
import { certificateAndKey, extraArgs, labels, resources, volumeMount } from "./common.ts";

const admissionPlugin = object("v1alpha1.AdmissionPluginConfig", "An admission plugin of the API server.", {
  name: property(string(), "Name of the plugin; a later entry with the same name is merged into it.", { always: true }),
  configuration: property(any, "Configuration of the plugin.", { always: true }),
});

const authorizer = object("v1alpha1.AuthorizationConfigAuthorizerConfig", "An authorizer of the API server.", {
  type: property(string(), "Kind: Node, RBAC or Webhook.", { always: true }),
  name: property(string(), "Name of the authorizer.", { always: true }),
  webhook: property(any, "Configuration of a webhook authorizer."),
});

const image = (component: string) => property(string(), `Image of the ${component}.`);
const args = property(extraArgs, "More command line arguments.");
const volumes = property(array(volumeMount), "Host directories given to the pod.");
const env = property(labels, "Environment of the pod.");
const podResources = property(resources, "CPU and memory of the pod.");

export const apiServer = object("v1alpha1.APIServerConfig", "The API server.", {
  image: image("API server"),
  extraArgs: args,
  extraVolumes: volumes,
  env,
  certSANs: property(array(string()), "More names and addresses in the API server's certificate."),
  disablePodSecurityPolicy: property(boolean, "Without effect since pod security policies are gone.", { hidden: true }),
  admissionControl: property(array(admissionPlugin, { mergeKeys: ["name"] }), "Admission plugins."),
  auditPolicy: property(any, "Audit policy.", { replace: true }),
  resources: podResources,
  authorizationConfig: property(array(authorizer), "Authorizers, asked in order; Node and RBAC are added if missing."),
});

export const controllerManager = object("v1alpha1.ControllerManagerConfig", "The controller manager.", {
  image: image("controller manager"),
  extraArgs: args,
  extraVolumes: volumes,
  env,
  resources: podResources,
});

export const proxy = object("v1alpha1.ProxyConfig", "kube-proxy.", {
  disabled: property(boolean, "Whether kube-proxy is left out."),
  image: image("kube-proxy"),
  mode: property(string(), "How services are implemented.", { default: "nftables" }),
  extraArgs: args,
});

export const scheduler = object("v1alpha1.SchedulerConfig", "The scheduler.", {
  image: image("scheduler"),
  extraArgs: args,
  extraVolumes: volumes,
  env,
  resources: podResources,
  config: property(any, "Configuration file of the scheduler."),
});

export const etcd = object("v1alpha1.EtcdConfig", "etcd.", {
  image: image("etcd"),
  ca: property(certificateAndKey, "Certificate authority of etcd.", { always: true }),
  extraArgs: args,
  subnet: property(string(), "Network of the address etcd announces.", { deprecated: "use advertisedSubnets" }),
  advertisedSubnets: property(
    array(string()),
    "Networks whose addresses etcd announces; a leading ! excludes a network.",
    {
      example: ["10.0.0.0/8"],
    },
  ),
  listenSubnets: property(array(string()), "Networks on whose addresses etcd listens; a leading ! excludes a network."),
});

export const coreDNS = object("v1alpha1.CoreDNS", "CoreDNS.", {
  disabled: property(boolean, "Whether CoreDNS is left out."),
  image: image("CoreDNS"),
});
