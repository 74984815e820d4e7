import { join } from "node:path";
import { exists } from "@talos-ts/host";
import type { Provisioner } from "../provisioner.ts";
import { createNodes } from "./create-nodes.ts";
import { deathEvidence, lastDeath, recordDeath, wasShutDown } from "./node-deaths.ts";
import { nodesWithoutConfig } from "./kept-config.ts";
import { findContainerRequirements } from "./requirements.ts";
import { restartContainer } from "./restart-node.ts";
import { createRunc } from "./runc.ts";
import { startNodes } from "./start-nodes.ts";
import { stopNodes } from "./stop-nodes.ts";
import { takeDown } from "./take-down.ts";

/** Runs each node as a container of the host's runc, on a bridge with NAT. */
export const containerProvisioner: Provisioner = {
  name: "container",
  findMissing: findContainerRequirements,
  createNodes,
  startNodes,
  stopNodes,
  restartNode: restartContainer,
  async nodeStatus(plan, node) {
    // The runtime makes its folder when it is asked, also for a cluster that was stopped.
    if (!(await exists(join(plan.runtimeDirectory, node.name)))) return { state: "absent", pid: 0 };
    const { status, pid } = await createRunc(plan.runtimeDirectory).status(node.name);
    return { state: status, pid };
  },
  wasShutDown,
  deathEvidence,
  lastDeath,
  recordDeath,
  unconfiguredNodes: nodesWithoutConfig,
  takeDown,
};
