/** The pods of the control plane. */

import { boolean, string } from "../../schema/scalars.ts";
import { any, field, list, object } from "../../schema/type.ts";
import { certificateAndKey, extraArgs, labels, resources, volumeMount } from "./common.ts";

const admissionPlugin = object("v1alpha1.AdmissionPluginConfig", "An admission plugin of the API server.", {
  name: field(string(), "Name of the plugin; a later entry with the same name is merged into it.", { always: true }),
  configuration: field(any, "Configuration of the plugin.", { always: true }),
});

const authorizer = object("v1alpha1.AuthorizationConfigAuthorizerConfig", "An authorizer of the API server.", {
  type: field(string(), "Kind: Node, RBAC or Webhook.", { always: true }),
  name: field(string(), "Name of the authorizer.", { always: true }),
  webhook: field(any, "Configuration of a webhook authorizer."),
});

const image = (component: string) => field(string(), `Image of the ${component}.`);
const args = field(extraArgs, "More command line arguments.");
const volumes = field(list(volumeMount), "Host directories given to the pod.");
const env = field(labels, "Environment of the pod.");
const podResources = field(resources, "CPU and memory of the pod.");

export const apiServer = object("v1alpha1.APIServerConfig", "The API server.", {
  image: image("API server"),
  extraArgs: args,
  extraVolumes: volumes,
  env,
  certSANs: field(list(string()), "More names and addresses in the API server's certificate."),
  disablePodSecurityPolicy: field(boolean, "Without effect since pod security policies are gone.", { hidden: true }),
  admissionControl: field(list(admissionPlugin, { mergeKeys: ["name"] }), "Admission plugins."),
  auditPolicy: field(any, "Audit policy.", { replace: true }),
  resources: podResources,
  authorizationConfig: field(list(authorizer), "Authorizers, asked in order; Node and RBAC are added if missing."),
});

export const controllerManager = object("v1alpha1.ControllerManagerConfig", "The controller manager.", {
  image: image("controller manager"),
  extraArgs: args,
  extraVolumes: volumes,
  env,
  resources: podResources,
});

export const proxy = object("v1alpha1.ProxyConfig", "kube-proxy.", {
  disabled: field(boolean, "Whether kube-proxy is left out."),
  image: image("kube-proxy"),
  mode: field(string(), "How services are implemented.", { default: "nftables" }),
  extraArgs: args,
});

export const scheduler = object("v1alpha1.SchedulerConfig", "The scheduler.", {
  image: image("scheduler"),
  extraArgs: args,
  extraVolumes: volumes,
  env,
  resources: podResources,
  config: field(any, "Configuration file of the scheduler."),
});

export const etcd = object("v1alpha1.EtcdConfig", "etcd.", {
  image: image("etcd"),
  ca: field(certificateAndKey, "Certificate authority of etcd.", { always: true }),
  extraArgs: args,
  subnet: field(string(), "Network of the address etcd announces.", { deprecated: "use advertisedSubnets" }),
  advertisedSubnets: field(list(string()), "Networks whose addresses etcd announces; a leading ! excludes a network.", {
    example: ["10.0.0.0/8"],
  }),
  listenSubnets: field(list(string()), "Networks on whose addresses etcd listens; a leading ! excludes a network."),
});

export const coreDNS = object("v1alpha1.CoreDNS", "CoreDNS.", {
  disabled: field(boolean, "Whether CoreDNS is left out."),
  image: image("CoreDNS"),
});
