import type { Fault } from "../fault.ts";
import { powerOff } from "../power.ts";

export const powerOffLeader: Fault = {
  name: "power-off-leader",
  summary: "the node of etcd's leader loses its power, and gets it back",
  target: "leader",
  lastsMs: 10_000,
  async inject({ cluster, node, undo }) {
    undo.defer(() => cluster.powerOn([node]));
    await powerOff(cluster, node);
  },
};
