import type { Fault } from "../fault.ts";
import { killInit } from "../power.ts";

/** On a machine the kernel panics when process 1 is killed, and the machine starts again: here the supervisor of the cluster does that. */
export const killMachined: Fault = {
  name: "kill-machined",
  summary: "kill -9 of machined, process 1 of a node",
  target: "any",
  lastsMs: 0,
  inject: ({ cluster, node }) => killInit(cluster, [node]),
};
