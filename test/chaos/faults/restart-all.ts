import type { Fault } from "../fault.ts";
import { killInit } from "../power.ts";

export const restartAll: Fault = {
  name: "restart-all",
  summary: "all nodes end at once, and start again",
  target: "any",
  lastsMs: 0,
  inject: ({ cluster }) => killInit(cluster, cluster.plan.nodes),
};
