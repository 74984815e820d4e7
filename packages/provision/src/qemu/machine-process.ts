import { readFile, rm } from "node:fs/promises";
import { OsError, systemClock } from "@talos-ts/base";
import { makeFolder, runTool } from "@talos-ts/host";
import type { Network } from "@talos-ts/linux";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { NodeStatus } from "../provisioner.ts";
import { machineFiles } from "./node-layout.ts";
import { qemuCommand, type MachineOptions } from "./qemu-command.ts";

const pauseMs = 50;

/**
 * Starts the machine of a node, whose folder and disk are there, and puts its cable into the bridge. QEMU makes the cable and
 * takes it away when it ends.
 *
 * @throws OsError `provision/qemu` with the last words of QEMU.
 */
export async function startMachine(network: Network, options: MachineOptions): Promise<void> {
  const { plan, node } = options;
  const [program = "", ...args] = qemuCommand(options);
  await makeFolder(plan.runtimeDirectory, 0o700);
  await runTool(program, args).catch((err: unknown) => {
    throw new OsError({
      kind: "internal",
      code: "provision/qemu",
      message: `Cannot start the virtual machine "${node.name}": ${err instanceof OsError ? err.message : String(err)}`,
      next: `cat ${machineFiles.log(plan, node)}`,
      cause: err,
    });
  });
  await plugIn(network, plan, node);
}

/** Puts the cable of a machine that runs into the bridge. */
export async function plugIn(network: Network, plan: ClusterPlan, node: NodePlan): Promise<void> {
  const bridge = await network.link(plan.bridge);
  const cable = await network.link(node.link);
  if (bridge === undefined || cable === undefined) {
    const lost = bridge === undefined ? plan.bridge : node.link;
    throw new OsError({
      kind: "internal",
      code: "provision/no-link",
      message: `Cannot connect virtual machine "${node.name}": there is no network link "${lost}"`,
    });
  }
  await network.changeLink(cable.index, { masterIndex: bridge.index, mtu: plan.network.mtu, up: true });
}

/** Looks at the process of a machine. */
export async function machineStatus(plan: ClusterPlan, node: NodePlan): Promise<NodeStatus> {
  const file = machineFiles.pid(plan, node);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { state: "absent", pid: 0 };
  const pid = Number(text.trim());
  // The number may belong to another process by now.
  const words = (await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => "")).split("\0");
  return words.includes(file) ? { state: "running", pid } : { state: "stopped", pid: 0 };
}

/** Cuts the power of a machine, and removes what is left of its process. */
export async function cutPower(plan: ClusterPlan, node: NodePlan): Promise<void> {
  const { pid } = await machineStatus(plan, node);
  if (pid !== 0) process.kill(pid, "SIGKILL");
  while ((await machineStatus(plan, node)).pid !== 0) await systemClock.sleep(pauseMs);
  for (const path of [machineFiles.pid(plan, node), machineFiles.monitor(plan, node)]) await rm(path, { force: true });
}
