import { appendFile, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { logLine } from "@talos-ts/base";
import { createLinuxMounts } from "@talos-ts/linux";
import { readDeath, readPowerState, writeDeath, type Death } from "@talos-ts/machinery/power-record";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { DeathEvidence } from "../provisioner.ts";
import { layout } from "./node-layout.ts";

/** Control group that the first process of a node moves itself to, below that of the node. */
const initGroup = "init";
/** File with the count of kills for want of memory, by type of the hierarchy. */
const oomFiles: Readonly<Record<string, string>> = { cgroup: "memory.oom_control", cgroup2: "memory.events" };
const consoleBytes = 8192;

export async function wasShutDown(plan: ClusterPlan, node: NodePlan): Promise<boolean> {
  return (await readPowerState(layout.power(plan, node))) === "off";
}

export async function lastDeath(plan: ClusterPlan, node: NodePlan): Promise<Death | undefined> {
  return await readDeath(layout.power(plan, node));
}

export async function recordDeath(plan: ClusterPlan, node: NodePlan, death: Death): Promise<void> {
  await writeDeath(layout.power(plan, node), death);
  const line = `[supervisor] the first process ended without a shutdown: ${death.reason}; starts again at ${death.restartAt}`;
  await appendFile(layout.log(plan, node), `${logLine(line, new Date(death.time))}\n`);
}

export async function deathEvidence(plan: ClusterPlan, node: NodePlan): Promise<DeathEvidence> {
  return {
    outOfMemory: (await oomKills(`${plan.cgroup}/${node.name}/${initGroup}`)) > 0,
    memoryLimitBytes: node.memoryBytes,
    console: await lastBytes(layout.log(plan, node)),
  };
}

async function oomKills(group: string): Promise<number> {
  const mounts = await createLinuxMounts().list();
  const counts = await Promise.all(
    mounts.map(async ({ type, target }) => {
      const file = oomFiles[type];
      if (file === undefined) return 0;
      const text = await readFile(join(target, group, file), "utf8").catch(() => "");
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
    }),
  );
  return Math.max(0, ...counts);
}

async function lastBytes(path: string): Promise<string> {
  await using file = await open(path).catch(() => undefined);
  if (file === undefined) return "";
  const { size } = await file.stat();
  const from = Math.max(0, size - consoleBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(consoleBytes), 0, consoleBytes, from);
  return buffer.toString("utf8", 0, bytesRead);
}
