import { createLinuxNetworks } from "@talos-ts/linux";
import type { ClusterPlan } from "../cluster-plan.ts";
import { visibleNetwork } from "../network/visible-network.ts";
import {
  checkImageCache,
  checkPrograms,
  checkSpace,
  checkSubnet,
  checkUser,
  findMissing,
  type Check,
  type Missing,
} from "../requirements.ts";
import { qemuProgram } from "./qemu-command.ts";

const startChecks: readonly Check[] = [
  checkUser,
  checkProcessor,
  checkPrograms({ mount: "mount", [qemuProgram]: "qemu-system-x86" }),
  checkSubnet,
  checkImageCache,
];

/** Checks by what they are for: a cluster that is started again has its space already. */
const machineChecks = { start: startChecks, create: [...startChecks, checkSpace] } as const;

/** Lists what this host lacks to run the nodes of a plan in virtual machines. */
export async function findMachineRequirements(
  plan: ClusterPlan,
  purpose: keyof typeof machineChecks,
): Promise<Missing[]> {
  using here = createLinuxNetworks().here;
  const network = purpose === "create" ? here : await visibleNetwork(here, plan);
  return await findMissing({ plan, network }, machineChecks[purpose]);
}

/** Checks that the image, which is made for the processor of the host, is one that machines here can run. */
async function checkProcessor(): Promise<Missing[]> {
  if (process.arch === "x64") return [];
  return [{ what: `x64 processor, this is ${process.arch}`, fix: "use a cluster of containers" }];
}
