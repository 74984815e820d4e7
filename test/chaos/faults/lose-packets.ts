import type { Fault } from "../fault.ts";
import { dropPackets } from "../node-firewall.ts";

/** One in five: TCP gets through, but late. */
const lottery = ["numgen random mod 100 < 20 drop"];

export const losePackets: Fault = {
  name: "lose-packets",
  summary: "a fifth of the packets of the leader's node get lost, in both directions",
  target: "leader",
  lastsMs: 12_000,
  inject: (context) => dropPackets(context, { incoming: lottery, outgoing: lottery }),
};
