/** Machine configurations for a new cluster. */

import { isIPv6 } from "node:net";
import { makeConfig, makeDocument, type Config } from "../config.ts";
import { mainConfigDocument, type ClusterSection, type MachineSection } from "../documents/v1alpha1/config.ts";
import { currentContract, supports, type ContractFeature, type VersionContract } from "./contract.ts";
import { networkDocuments } from "./network.ts";
import { registryDocuments } from "./registries.ts";
import { generateCluster } from "./cluster.ts";
import { generateMachine } from "./machine.ts";
import { podNetworks, serviceNetworks } from "./defaults.ts";
import type { SecretsBundle } from "../../secrets/bundle.ts";

/** Describes what a configuration is generated from. */
export interface GenerateInput {
  readonly clusterName: string;
  /** Address of the Kubernetes API: `https://10.5.0.2:6443`. */
  readonly endpoint: string;
  readonly secrets: SecretsBundle;
  readonly machineType: "init" | "controlplane" | "worker";
  /** @default {currentContract} */
  readonly versionContract?: VersionContract;
  /** Without a leading v; images are left to the machine when absent. */
  readonly kubernetesVersion?: string;
  readonly options?: GenerateOptions;
}

/** Settings of generation that have defaults. */
export interface GenerateOptions {
  /** Extra names and addresses in the certificates of the machine API and the Kubernetes API. */
  readonly additionalSans?: readonly string[];
  /** @default {"cluster.local"} */
  readonly dnsDomain?: string;
  readonly installDisk?: string;
  readonly installImage?: string;
  readonly installExtraKernelArgs?: readonly string[];
  /** Mirrors by registry host. */
  readonly registryMirrors?: Readonly<Record<string, readonly string[]>>;
  /** PEM of extra CAs by registry host. */
  readonly registryCaCerts?: Readonly<Record<string, string>>;
  /** Registry hosts whose certificates are not checked. */
  readonly registryInsecure?: readonly string[];
  /** @default true */
  readonly clusterDiscovery?: boolean;
  readonly kubeSpan?: boolean;
  /** Zero leaves KubePrism out. @default {7445} */
  readonly kubePrismPort?: number;
  readonly hostDnsForwardKubeDns?: boolean;
  readonly allowSchedulingOnControlPlanes?: boolean;
  readonly localApiServerPort?: number;
  readonly cni?: NonNullable<NonNullable<ClusterSection["network"]>["cni"]>;
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly disks?: NonNullable<MachineSection["disks"]>;
  /** Settings of `machine.network`. */
  readonly network?: NonNullable<MachineSection["network"]>;
  /** @default false */
  readonly debug?: boolean;
}

/** Describes what the parts of a configuration are generated from. */
export interface GenerateContext {
  readonly input: GenerateInput;
  readonly options: GenerateOptions;
  readonly has: (feature: ContractFeature) => boolean;
  readonly podNetwork: string;
  readonly serviceNetwork: string;
}

/** The same input gives the same configuration. */
export function generateConfig(input: GenerateInput): Config {
  const contract = input.versionContract ?? currentContract;
  const family = isIPv6(input.endpoint) ? "ipv6" : "ipv4";
  const context: GenerateContext = {
    input,
    options: input.options ?? {},
    has: (feature) => supports(contract, feature),
    podNetwork: podNetworks[family],
    serviceNetwork: serviceNetworks[family],
  };
  const main = makeDocument(mainConfigDocument, {
    version: "v1alpha1",
    debug: context.options.debug ?? false,
    persist: true,
    machine: generateMachine(context),
    cluster: generateCluster(context),
  });
  return makeConfig([main, ...registryDocuments(context), ...networkDocuments(context)]);
}
