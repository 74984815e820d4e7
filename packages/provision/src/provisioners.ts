import { OsError } from "@talos-ts/base";
import type { ClusterPlan, NodePlan, ProvisionerName } from "./cluster-plan.ts";
import { containerProvisioner } from "./container/index.ts";
import type { Provisioner } from "./provisioner.ts";
import { qemuProvisioner } from "./qemu/index.ts";

/** Every provisioner by its name. */
export const provisioners: Readonly<Record<ProvisionerName, Provisioner>> = {
  container: containerProvisioner,
  qemu: qemuProvisioner,
};

/**
 * Gives the provisioner that a cluster was planned for.
 *
 * @throws OsError `provision/unknown-provisioner` when the plan was written by a version that has another one.
 */
export function provisionerOf(plan: ClusterPlan): Provisioner {
  const found = Object.values(provisioners).find(({ name }) => name === plan.provisioner);
  if (found !== undefined) return found;
  throw new OsError({
    kind: "failed-precondition",
    code: "provision/unknown-provisioner",
    message: `Cannot use cluster "${plan.name}": its provisioner is "${plan.provisioner}", expected ${Object.keys(provisioners).join(" or ")}`,
    next: `talosctl cluster destroy --name ${plan.name}`,
  });
}

/** Lists the nodes of a cluster that have no configuration: neither were they created with one, nor were they given one since. */
export async function unconfiguredNodes(plan: ClusterPlan): Promise<readonly NodePlan[]> {
  return provisionerOf(plan).unconfiguredNodes(plan);
}
