import { OsError } from "@talos-ts/base";
import {
  applyPatches,
  encodeConfig,
  generateConfig,
  loadPatches,
  validateConfig,
  validationMessage,
  type GenerateOptions,
} from "@talos-ts/machinery/config";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";
import { generateBundle, issueLeaf, type SecretsBundle } from "@talos-ts/machinery/secrets";
import { createTalosconfig, type TalosConfig } from "@talos-ts/machinery/talosconfig";
import { controlPlaneAddresses, endpointAddress, kubernetesEndpoint } from "./control-plane-endpoint.ts";
import { discoveryEndpoint } from "./discovery-process.ts";
import type { ClusterPlan, NodePlan, NodeType } from "./cluster-plan.ts";
import { refuseOverlap } from "./network/subnet-overlap.ts";

export interface ClusterConfigOptions {
  /** @default the version this system is made for */
  readonly kubernetesVersion?: string;
  /** Patches as on a command line (text, `@file`), for all nodes and then for one kind of them. */
  readonly patches?: Readonly<Partial<Record<"all" | NodeType, readonly string[]>>>;
  readonly generate?: GenerateOptions;
  /** True when nodes take images from their image cache. @default when the plan has one */
  readonly imageCache?: boolean;
  /** @default new secrets */
  readonly secrets?: SecretsBundle;
  /** @default the present */
  readonly now?: Date;
}

/** Makes nodes take images from the cache that the provisioner shows them. */
const useImageCache = JSON.stringify({ machine: { features: { imageCache: { localEnabled: true } } } });

/** The disk of a virtual machine, whose clock is that of the host: there may be no way to a time server. */
const useDisk = JSON.stringify({ machine: { install: { disk: "/dev/vda" }, time: { disabled: true } } });

/** Makes nodes find each other through the service on the host. */
const useDiscovery = (plan: ClusterPlan): string =>
  JSON.stringify({ cluster: { discovery: { registries: { service: { endpoint: discoveryEndpoint(plan) } } } } });

/** Configurations of the nodes, and the client configuration of the administrator. */
export interface ClusterConfigs {
  readonly secrets: SecretsBundle;
  readonly talosconfig: TalosConfig;
  nodeConfig(node: Pick<NodePlan, "type">): string;
}

/**
 * Makes the configurations of a cluster; everything is generated and checked before anything is created.
 *
 * @throws OsError `provision/bad-config` when the patches lead to a configuration no node would accept;
 * `provision/subnet-overlap` when Kubernetes would use addresses of the nodes.
 */
export async function generateClusterConfigs(
  plan: ClusterPlan,
  options: ClusterConfigOptions = {},
): Promise<ClusterConfigs> {
  const { now = new Date(), patches = {} } = options;
  const secrets = options.secrets ?? (await generateBundle({ now }));
  const controlPlanes = controlPlaneAddresses(plan);
  const make = (machineType: NodeType): string => {
    const config = generateConfig({
      clusterName: plan.name,
      endpoint: kubernetesEndpoint(plan),
      secrets,
      machineType,
      kubernetesVersion: options.kubernetesVersion ?? defaultKubernetesVersion,
      options: { additionalSans: [...new Set([...controlPlanes, endpointAddress(plan)])], ...options.generate },
    });
    const cache = (options.imageCache ?? plan.imageCache !== undefined) ? [useImageCache] : [];
    const machine = plan.provisioner === "qemu" ? [useDisk] : [];
    const texts = [useDiscovery(plan), ...machine, ...cache, ...(patches.all ?? []), ...(patches[machineType] ?? [])];
    const patched = applyPatches(config, loadPatches(texts));
    const { errors } = validateConfig(patched, { mode: plan.provisioner === "qemu" ? "metal" : "container" });
    if (errors.length > 0) throw badConfig(machineType, validationMessage(errors));
    if (plan.kubernetes === true) refuseOverlap(plan, patched);
    return encodeConfig(patched);
  };
  const texts: Readonly<Record<NodeType, string>> = { controlplane: make("controlplane"), worker: make("worker") };
  const client = await issueLeaf("talosconfig", secrets.certs.os, { roles: [roles.admin] }, { now });
  return {
    secrets,
    talosconfig: createTalosconfig(plan.name, controlPlanes, secrets.certs.os.crt, client),
    nodeConfig: ({ type }) => texts[type],
  };
}

function badConfig(type: NodeType, problems: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "provision/bad-config",
    message: `Cannot use the generated configuration of a ${type} node: it is not valid with these patches: ${problems.trim()}`,
    next: "talosctl validate --mode container --config <file>",
  });
}
