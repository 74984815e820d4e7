import { join } from "node:path";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";

/** Files of a virtual machine on the host. */
export const machineFiles = {
  folder: (plan: ClusterPlan, node: NodePlan): string => join(plan.directory, "nodes", node.name),
  disk: (plan: ClusterPlan, node: NodePlan): string => join(machineFiles.folder(plan, node), "disk.img"),
  /** Variables of its firmware, which outlive its runs. */
  variables: (plan: ClusterPlan, node: NodePlan): string => join(machineFiles.folder(plan, node), "firmware.fd"),
  /** Everything the machine wrote to its serial console, of all runs. */
  console: (plan: ClusterPlan, node: NodePlan): string => join(machineFiles.folder(plan, node), "console.log"),
  /** Written by QEMU, which removes it when it ends in order; one that stays tells of a process that was killed. */
  pid: (plan: ClusterPlan, node: NodePlan): string => join(plan.runtimeDirectory, `${node.name}.pid`),
  /** Socket of QEMU's machine protocol. In memory, and short: paths of sockets have 108 bytes. */
  monitor: (plan: ClusterPlan, node: NodePlan): string => join(plan.runtimeDirectory, `${node.name}.qmp`),
  /** Messages of QEMU itself. */
  log: (plan: ClusterPlan, node: NodePlan): string => join(machineFiles.folder(plan, node), "qemu.log"),
} as const;
