import type { Fault } from "../fault.ts";
import { dropPackets } from "../node-firewall.ts";

const cut = { target: "leader", lastsMs: 10_000 } as const;

/** Ways of cutting a node off, by the packets that no longer pass. */
export const cutOff: readonly Fault[] = [
  {
    ...cut,
    name: "cut-off",
    summary: "the node of the leader neither gets nor sends packets",
    inject: (context) => dropPackets(context, { incoming: ["drop"], outgoing: ["drop"] }),
  },
  {
    ...cut,
    name: "cut-incoming",
    summary: "the node of the leader gets no packets, but sends them",
    inject: (context) => dropPackets(context, { incoming: ["drop"] }),
  },
  {
    ...cut,
    name: "cut-outgoing",
    summary: "the node of the leader sends no packets, but gets them",
    inject: (context) => dropPackets(context, { outgoing: ["drop"] }),
  },
  {
    ...cut,
    name: "cut-peers",
    summary: "the leader does not reach other members of etcd (port 2380), clients reach it",
    inject: (context) =>
      dropPackets(context, {
        incoming: ["tcp dport 2380 drop", "tcp sport 2380 drop"],
        outgoing: ["tcp dport 2380 drop", "tcp sport 2380 drop"],
      }),
  },
];
