import type { Fault } from "../fault.ts";

const reason =
  "nodes of local clusters share the clock of this host's kernel: time namespaces shift its monotonic clocks only, and setting the " +
  "real-time clock would move it for every process of the host";

/** Listed so that `--only jump-clock` says why it does not run. */
export const jumpClock: Fault = {
  name: "jump-clock",
  summary: "the clock of a node jumps",
  target: "any",
  lastsMs: 0,
  unavailable: async () => reason,
  async inject() {
    throw new Error(reason);
  },
};
