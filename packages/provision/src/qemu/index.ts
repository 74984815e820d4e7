import { OsError } from "@talos-ts/base";
import { findRootfs } from "@talos-ts/imager";
import { readState } from "../cluster-state.ts";
import type { ClusterPlan } from "../cluster-plan.ts";
import type { NodeImage, Provisioner } from "../provisioner.ts";
import { machineStatus } from "./machine-process.ts";
import { deathEvidence, lastDeath, recordDeath } from "./node-deaths.ts";
import { createMachines, restartMachine, startMachines } from "./nodes.ts";
import { findMachineRequirements } from "./requirements.ts";
import { stopMachines } from "./stop-nodes.ts";
import { takeDownMachines } from "./take-down.ts";

/** Runs each node as a virtual machine of QEMU, on a bridge with NAT. */
export const qemuProvisioner: Provisioner = {
  name: "qemu",
  findMissing: findMachineRequirements,
  // Machines learn their configuration through the API, in maintenance mode.
  createNodes: (plan, image, _nodeConfig, work) => createMachines(plan, image, work),
  startNodes: startMachines,
  stopNodes: stopMachines,
  restartNode: async (plan, node) => restartMachine(plan, node, await imageOf(plan)),
  nodeStatus: machineStatus,
  // QEMU removes the traces of a machine that was shut down, so one that has traces was not.
  wasShutDown: async () => false,
  deathEvidence,
  lastDeath,
  recordDeath,
  // What is on its disk only the machine itself can tell.
  unconfiguredNodes: async () => [],
  takeDown: takeDownMachines,
};

async function imageOf(plan: ClusterPlan): Promise<NodeImage> {
  const digest = (await readState(plan.directory))?.image ?? "";
  const image = await findRootfs(digest);
  if (image !== undefined) return image;
  throw new OsError({
    kind: "not-found",
    code: "provision/no-image",
    message: `Cannot start a machine of cluster "${plan.name}" again: its image ${digest} is no longer kept`,
    next: `talosctl cluster start --name ${plan.name}`,
  });
}
