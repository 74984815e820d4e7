import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import { removeCable } from "../network/cluster-network.ts";
import type { StopNodesOptions } from "../provisioner.ts";
import { sweepCgroup } from "./cgroup-sweep.ts";
import { createRunc, type Runc } from "./runc.ts";
import { takeDown } from "./take-down.ts";

const pollIntervalMs = 100;

/** Terminates the containers of nodes, kills those that run after the grace period, and removes them. */
export async function stopNodes(
  plan: ClusterPlan,
  nodes: readonly NodePlan[],
  { graceMs, clock, progress, signal }: StopNodesOptions,
): Promise<readonly NodePlan[]> {
  const runc = createRunc(plan.runtimeDirectory, signal);
  const deadline = clock.monotonic() + graceMs;
  const stage = "stop nodes";
  const stopped = new Set<NodePlan>();
  await Promise.all(
    nodes.map(async (node) => {
      if (!(await isRunning(runc, node))) return;
      stopped.add(node);
      progress({ stage, state: "start", detail: node.name });
      await runc.terminate(node.name);
      while ((await isRunning(runc, node)) && clock.monotonic() < deadline) await clock.sleep(pollIntervalMs, signal);
      const timedOut = await isRunning(runc, node);
      progress({
        stage,
        state: "step",
        detail: timedOut ? `${node.name} did not stop in time, killing it` : node.name,
      });
    }),
  );
  signal?.throwIfAborted();
  await removeContainers(plan, nodes);
  if (stopped.size > 0) progress({ stage, state: "done" });
  const running = await Promise.all(plan.nodes.map((node) => isRunning(runc, node)));
  if (!running.includes(true)) await takeDown(plan, progress);
  return nodes.filter((node) => stopped.has(node));
}

async function isRunning(runc: Runc, node: NodePlan): Promise<boolean> {
  return (await runc.status(node.name)).status === "running";
}

/** Removes the containers of nodes, whatever state they are in, with their control groups and links. */
async function removeContainers(plan: ClusterPlan, nodes: readonly NodePlan[]): Promise<void> {
  const runc = createRunc(plan.runtimeDirectory);
  const mounts = createLinuxMounts();
  using here = createLinuxNetworks().here;
  for (const node of nodes) {
    await runc.remove(node.name);
    await sweepCgroup(mounts, `${plan.cgroup}/${node.name}`);
    await removeCable(here, node);
  }
}
