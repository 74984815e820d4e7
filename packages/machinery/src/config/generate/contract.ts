/**
 * Contents that a configuration may have for a given version of the system. A machine refuses keys it does not know, so what
 * came later is left out for older versions.
 */

import { OsError } from "@talos-ts/base";

/** Release whose configuration format is generated. */
export interface VersionContract {
  readonly major: number;
  readonly minor: number;
}

/** Contract of the release this system speaks. */
export const currentContract: VersionContract = { major: 1, minor: 13 };

/** The first minor version of v1 that knows a feature; `until` is the last one that has it. */
const features = {
  podSecurityAdmission: { since: 1 },
  stableHostname: { since: 2 },
  kubeletSeccompDefault: { since: 2 },
  alternateImageRegistries: { since: 2, until: 2 },
  allowSchedulingOnControlPlanes: { since: 2 },
  kubernetesDiscoveryDisabled: { since: 2 },
  apidExtKeyUsage: { since: 3 },
  auditPolicy: { since: 3 },
  kubeletManifestsDisabled: { since: 3 },
  secretboxEncryption: { since: 3 },
  diskQuota: { since: 5 },
  kubePrism: { since: 6 },
  hostDns: { since: 7 },
  clusterNameForWorkers: { since: 8 },
  hostDnsForward: { since: 8 },
  excludeFromExternalLoadBalancer: { since: 8 },
  sansFromEndpoint: { since: 0, until: 11 },
  rbacSwitches: { since: 0, until: 11 },
  podSecurityPolicySwitch: { since: 0, until: 11 },
  networkDocuments: { since: 12 },
  grubUsesBootAssetArguments: { since: 12 },
  kubeSpanDocument: { since: 13 },
} as const satisfies Readonly<Record<string, { readonly since: number; readonly until?: number }>>;

/** A feature of the configuration format that not every release has. */
export type ContractFeature = keyof typeof features;

/** Reports whether a version knows a feature. Versions beyond the current one know everything. */
export function supports(contract: VersionContract, feature: ContractFeature): boolean {
  const range: { readonly since: number; readonly until?: number } = features[feature];
  const minor = contract.major > 1 ? Number.POSITIVE_INFINITY : contract.major < 1 ? -1 : contract.minor;
  return minor >= range.since && minor <= (range.until ?? Number.POSITIVE_INFINITY);
}

/**
 * @param version `v1.13`, `1.13.2`
 * @throws {OsError} `config/bad-version`
 */
export function parseContract(version: string): VersionContract {
  const parts = /^v?(\d+)\.(\d+)(?:$|\.)/.exec(version);
  if (parts === null) {
    throw new OsError({
      kind: "invalid-argument",
      code: "config/bad-version",
      message: `error parsing version ${JSON.stringify(`v${version.replace(/^v/, "")}`)}`,
    });
  }
  return { major: Number(parts[1]), minor: Number(parts[2]) };
}
