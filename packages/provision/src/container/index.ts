import type { Provisioner } from "../provisioner.ts";
import { createNodes } from "./create-nodes.ts";
import { unconfiguredNodes } from "./kept-config.ts";
import { findContainerRequirements } from "./requirements.ts";
import { restartNode } from "./restart-node.ts";
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
  restartNode,
  async nodeStatus(plan, node) {
    const { status, pid } = await createRunc(plan.runtimeDirectory).status(node.name);
    return { state: status, pid };
  },
  unconfiguredNodes,
  takeDown,
};
