import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { StopNodesOptions } from "../provisioner.ts";
import { commandMachine } from "./command-machine.ts";
import { cutPower, machineStatus } from "./machine-process.ts";
import { machineFiles } from "./node-layout.ts";
import { takeDownMachines } from "./take-down.ts";

const pollIntervalMs = 200;
/** Presses the power button of a machine, which then shuts itself down. */
const powerButton = { execute: "system_powerdown" } as const;

/** Presses the power buttons of machines, cuts the power of those that run after the grace period. Their disks stay. */
export async function stopMachines(
  plan: ClusterPlan,
  nodes: readonly NodePlan[],
  { graceMs, clock, progress, signal }: StopNodesOptions,
): Promise<readonly NodePlan[]> {
  const deadline = clock.monotonic() + graceMs;
  const stage = "stop nodes";
  const runs = async (node: NodePlan): Promise<boolean> => (await machineStatus(plan, node)).state === "running";
  const stopped = new Set<NodePlan>();
  await Promise.all(
    nodes.map(async (node) => {
      if (!(await runs(node))) return;
      stopped.add(node);
      progress({ stage, state: "start", detail: node.name });
      await commandMachine(machineFiles.monitor(plan, node), powerButton).catch(() => {
        // It ended in the meantime, or does not listen: then the end of the grace period is the end of it.
      });
      while ((await runs(node)) && clock.monotonic() < deadline) await clock.sleep(pollIntervalMs, signal);
      const detail = (await runs(node)) ? `${node.name} did not stop in time, cutting its power` : node.name;
      progress({ stage, state: "step", detail });
    }),
  );
  signal?.throwIfAborted();
  for (const node of nodes) await cutPower(plan, node);
  if (stopped.size > 0) progress({ stage, state: "done" });
  if (!(await Promise.all(plan.nodes.map(runs))).includes(true)) await takeDownMachines(plan, progress);
  return nodes.filter((node) => stopped.has(node));
}
