import { eventually } from "../../integration/cluster-support.ts";
import type { Fault } from "../fault.ts";

/** Time from the end of the machine's API to that of the machine, in ms. */
const limitMs = 120_000;

export const replaceControlPlane: Fault = {
  name: "replace-control-plane",
  summary: "a control plane is reset, which leaves etcd and wipes its disk, and joins anew",
  target: "any",
  lastsMs: 0,
  async inject({ cluster, node, undo }) {
    undo.defer(() => cluster.powerOn([node]));
    await cluster.talosctl(node, "reset", "--timeout", "5m");
    // The API ends before the volumes are wiped, and a node that still runs is not switched on.
    await eventually(
      () => cluster.init(node),
      (pid) => pid === 0,
      limitMs,
    );
  },
};
