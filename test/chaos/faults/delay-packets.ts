import { runTool } from "@talos-ts/host";
import type { Fault } from "../fault.ts";

/**
 * Ways of sending packets later, the first that the kernel has counts: netem delays each of them, a token bucket (tbf) lets so
 * few bytes pass that they queue. Many kernels come without netem.
 */
const disciplines: readonly (readonly string[])[] = [
  ["netem", "delay", "150ms", "50ms"],
  ["tbf", "rate", "400kbit", "burst", "1600", "latency", "800ms"],
];

/** Sets the queue of the node's end of its cable, from outside: `tc` of the host, in the network of the node. */
export const delayPackets: Fault = {
  name: "delay-packets",
  summary: "packets of the leader's node are sent late",
  target: "leader",
  lastsMs: 12_000,
  async unavailable() {
    return await runTool("tc", ["-V"]).then(
      () => undefined,
      () => "there is no tc here: apt-get install iproute2",
    );
  },
  async inject({ cluster, node, undo }) {
    const pid = await cluster.init(node);
    const tc = (...args: readonly string[]) =>
      runTool("nsenter", ["--target", String(pid), "--net", "tc", "qdisc", ...args]);
    undo.defer(async () => {
      // A node that went down took its network with it.
      if (pid === (await cluster.init(node))) await tc("del", "dev", "eth0", "root");
    });
    const failures: unknown[] = [];
    for (const discipline of disciplines) {
      try {
        await tc("replace", "dev", "eth0", "root", ...discipline);
        return;
      } catch (err) {
        failures.push(err);
      }
    }
    throw new AggregateError(failures, "no queueing discipline of the kernel delays packets");
  },
};
