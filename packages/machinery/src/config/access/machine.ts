/** Settings of the machine and the cluster with their defaults filled in. */

import type { Config } from "../config.ts";
import { environmentConfig } from "../documents/environment-config.ts";
import { podNetworks, serviceNetworks } from "../generate/defaults.ts";
import { parseMachineType, type MachineTypeName } from "../validate/v1alpha1/machine-type.ts";
import { documentOf } from "./documents.ts";

/** `unknown` without a main document. */
export function machineTypeOf(config: Config): MachineTypeName {
  return config.machine === undefined ? "unknown" : parseMachineType(config.machine.type);
}

/** Reports whether the machine can boot with this configuration: only the main document is needed for that. */
export function isComplete(config: Config): boolean {
  return config.main !== undefined;
}

/** Environment of the services; the document wins over `machine.env`. */
export function environmentOf(config: Config): Readonly<Record<string, string>> {
  return { ...config.machine?.env, ...documentOf(config, environmentConfig)?.variables };
}

/** Pod subnets, service subnets, DNS domain and network plugin of a cluster. */
export interface ClusterNetworks {
  readonly dnsDomain: string;
  readonly podSubnets: readonly string[];
  readonly serviceSubnets: readonly string[];
  readonly cni: {
    readonly name: string;
    readonly urls: readonly string[];
    readonly flannelExtraArgs: readonly string[];
  };
}

/** Reads the networks of the cluster, with their defaults. */
export function clusterNetworksOf(config: Config): ClusterNetworks {
  const { dnsDomain = "cluster.local", podSubnets = [], serviceSubnets = [], cni } = config.cluster?.network ?? {};
  return {
    dnsDomain,
    podSubnets: podSubnets.length > 0 ? podSubnets : [podNetworks.ipv4],
    serviceSubnets: serviceSubnets.length > 0 ? serviceSubnets : [serviceNetworks.ipv4],
    cni: { name: cni?.name ?? "flannel", urls: cni?.urls ?? [], flannelExtraArgs: cni?.flannel?.extraArgs ?? [] },
  };
}

/** Settings of KubePrism. */
export interface KubePrismSettings {
  readonly enabled: boolean;
  readonly port: number;
}

/** Reads the settings of KubePrism, with their defaults. */
export function kubePrismOf(config: Config): KubePrismSettings {
  const { enabled = false, port = 7445 } = config.machine?.features?.kubePrism ?? {};
  return { enabled, port };
}

/** Settings of the node's DNS cache. */
export interface HostDnsSettings {
  readonly enabled: boolean;
  readonly forwardKubeDnsToHost: boolean;
  readonly resolveMemberNames: boolean;
}

/** Reads the settings of the node's DNS cache, with their defaults. */
export function hostDnsOf(config: Config): HostDnsSettings {
  const dns = config.machine?.features?.hostDNS;
  return {
    enabled: dns?.enabled ?? false,
    forwardKubeDnsToHost: dns?.forwardKubeDNSToHost ?? false,
    resolveMemberNames: dns?.resolveMemberNames ?? false,
  };
}
