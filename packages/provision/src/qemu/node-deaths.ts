import { appendFile, open } from "node:fs/promises";
import { logLine } from "@talos-ts/base";
import { makeFolder } from "@talos-ts/host";
import { readDeath, writeDeath, type Death } from "@talos-ts/machinery/power-record";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { DeathEvidence } from "../provisioner.ts";
import { machineFiles } from "./node-layout.ts";

const consoleBytes = 8192;

export async function lastDeath(plan: ClusterPlan, node: NodePlan): Promise<Death | undefined> {
  return await readDeath(machineFiles.folder(plan, node));
}

export async function recordDeath(plan: ClusterPlan, node: NodePlan, death: Death): Promise<void> {
  await makeFolder(machineFiles.folder(plan, node), 0o700);
  await writeDeath(machineFiles.folder(plan, node), death);
  const line = `[supervisor] the virtual machine ended without a shutdown: ${death.reason}; starts again at ${death.restartAt}`;
  await appendFile(machineFiles.console(plan, node), `${logLine(line, new Date(death.time))}\n`);
}

export async function deathEvidence(plan: ClusterPlan, node: NodePlan): Promise<DeathEvidence> {
  return {
    outOfMemory: false,
    memoryLimitBytes: node.memoryBytes,
    console: await lastBytes(machineFiles.console(plan, node)),
  };
}

async function lastBytes(path: string): Promise<string> {
  await using file = await open(path).catch(() => undefined);
  if (file === undefined) return "";
  const { size } = await file.stat();
  const from = Math.max(0, size - consoleBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(consoleBytes), 0, consoleBytes, from);
  return buffer.toString("utf8", 0, bytesRead);
}
