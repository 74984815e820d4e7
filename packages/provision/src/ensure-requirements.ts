import { installPackages } from "@talos-ts/host";
import type { ClusterPlan } from "./cluster-plan.ts";
import type { Provisioner, Work } from "./provisioner.ts";
import { requirementsError } from "./requirements.ts";

export interface RequirementOptions extends Work {
  /** Installs missing Debian packages instead of only naming them; needs root. @default false */
  readonly install?: boolean;
}

/**
 * Checks that the host has what a cluster needs, and installs packages that it lacks when asked to.
 *
 * A host that has everything is not changed, and no network is used.
 *
 * @throws OsError `provision/requirements` with everything that is still missing.
 */
export async function ensureRequirements(
  provisioner: Pick<Provisioner, "findMissing">,
  plan: ClusterPlan,
  purpose: "create" | "start",
  { install = false, progress, signal }: RequirementOptions,
): Promise<void> {
  let missing = await provisioner.findMissing(plan, purpose);
  const packages = missing.flatMap((entry) => entry.package ?? []);
  if (install && packages.length > 0 && process.getuid?.() === 0) {
    await installPackages(packages, progress, signal);
    missing = await provisioner.findMissing(plan, purpose);
  }
  if (missing.length > 0) throw requirementsError(missing);
}
