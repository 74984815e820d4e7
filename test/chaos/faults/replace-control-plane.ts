import type { Fault } from "../fault.ts";

export const replaceControlPlane: Fault = {
  name: "replace-control-plane",
  summary: "a control plane is reset, which leaves etcd and wipes its disk, and joins anew",
  target: "any",
  lastsMs: 0,
  async inject({ cluster, node, undo }) {
    undo.defer(() => cluster.powerOn([node]));
    await cluster.talosctl(node, "reset", "--timeout", "5m");
  },
};
