import type { Fault } from "../fault.ts";

/** Every machine loses its disk, and nothing is lost: each leaves etcd, joins anew, and has all data before it is the turn of the next. */
export const replaceAll: Fault = {
  name: "replace-all",
  summary: "every control plane is reset, one after the other, and joins anew",
  target: "any",
  lastsMs: 0,
  async inject({ cluster, node, others, undo }) {
    const nodes = [node, ...others];
    // A node that is erased ends, unless it is told to come back.
    undo.defer(() => cluster.powerOn(nodes));
    const addresses = others.map(({ address }) => address).join();
    await cluster.talosctl(node, "--nodes", addresses, "reset", "--rolling", "--reboot", "--timeout", "10m");
  },
};
