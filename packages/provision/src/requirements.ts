import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OsError } from "@talos-ts/base";
import { exists, findMissingPrograms, makeFolder } from "@talos-ts/host";
import type { Network } from "@talos-ts/linux";
import type { ClusterPlan } from "./cluster-plan.ts";
import { linkInSubnet } from "./network/cluster-network.ts";

/** Something the host lacks. */
export interface Missing {
  readonly what: string;
  /** Command or action that resolves it. */
  readonly fix: string;
  /** The Debian package that brings it, when one does. */
  readonly package?: string;
}

export interface RequirementInput {
  readonly plan: ClusterPlan;
  readonly network: Pick<Network, "addresses" | "link">;
  /** Folders to look for programs in. @default those programs run with */
  readonly path?: string;
  /** @default the user of this process */
  readonly userId?: number;
}

/** Space that one node takes before it has done any work: its volumes and its logs; with Kubernetes also images, unpacked. */
const freeBytesPerNode = { machine: 512 * 1024 ** 2, kubernetes: 1024 ** 3 } as const;

/** Looks for one kind of requirement; empty when the host meets it. */
export type Check = (input: RequirementInput) => Promise<Missing[]>;

/** Runs all checks and joins their findings in the order of the checks; empty when nothing is missing. */
export async function findMissing(input: RequirementInput, checks: readonly Check[]): Promise<Missing[]> {
  const found = await Promise.all(checks.map((check) => check(input)));
  return found.flat();
}

/** One error that names all that is missing. */
export function requirementsError(missing: readonly Missing[]): OsError {
  const packages = missing.flatMap((entry) => entry.package ?? []);
  return new OsError({
    kind: "failed-precondition",
    code: "provision/requirements",
    message: `This machine cannot run a cluster yet, it lacks: ${missing
      .map(({ what, fix }) => `${what} (${fix})`)
      .join("; ")}`,
    ...(packages.length > 0 ? { next: `apt-get install ${packages.join(" ")}` } : {}),
    details: { missing },
  });
}

/** Checks that the process runs as root. */
export async function checkUser({ userId = process.getuid?.() ?? -1 }: RequirementInput): Promise<Missing[]> {
  return userId === 0 ? [] : [{ what: `user 0, this is user ${userId}`, fix: "run as root" }];
}

/** Makes a check for programs of the host; `packages` names the Debian package of each. */
export function checkPrograms(packages: Readonly<Record<string, string>>): Check {
  return async ({ path }) =>
    (await findMissingPrograms(packages, path)).map(({ name, package: debian }) => ({
      what: `program "${name}"`,
      fix: `apt-get install ${debian}`,
      package: debian,
    }));
}

/** Checks that no link of the host has addresses of the cluster's subnet. */
export async function checkSubnet({ plan, network }: RequirementInput): Promise<Missing[]> {
  const taken = await linkInSubnet(network, plan.network.subnet);
  if (taken === undefined) return [];
  const what = `free subnet ${plan.network.subnet}, link "${taken}" has addresses in it`;
  return [{ what, fix: "choose another one with --subnet" }];
}

/** Checks the free space below the folder of clusters. */
export async function checkSpace({ plan }: RequirementInput): Promise<Missing[]> {
  const parent = dirname(plan.directory);
  await makeFolder(parent, 0o700);
  const { bavail, bsize } = await statfs(parent);
  const needed = plan.nodes.length * freeBytesPerNode[plan.kubernetes === true ? "kubernetes" : "machine"];
  if (bavail * bsize >= needed) return [];
  const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`;
  const what = `${megabytes(needed)} free in "${parent}", there are ${megabytes(bavail * bsize)}`;
  return [{ what, fix: "free some space" }];
}

/** Checks that the image cache the nodes were made with is still there. */
export async function checkImageCache({ plan }: RequirementInput): Promise<Missing[]> {
  if (plan.imageCache === undefined || (await exists(join(plan.imageCache, "index.json")))) return [];
  const fix = `talosctl cluster destroy --name ${plan.name}, then create it again with --images build`;
  return [{ what: `image cache "${plan.imageCache}"`, fix }];
}
