import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Hook of an nftables chain. */
export const nfTablesChainHook = enumOf("NfTablesChainHook", {
  prerouting: 0,
  input: 1,
  forward: 2,
  output: 3,
  postrouting: 4,
});

export type NfTablesChainHook = ValueOf<typeof nfTablesChainHook>;

/** Order of the chains of one hook. */
export const nfTablesChainPriority = enumOf("NfTablesChainPriority", {
  first: -2147483648,
  "conntrack-defrag": -400,
  raw: -300,
  "selinux-first": -225,
  conntrack: -200,
  mangle: -150,
  "nat-dest": -100,
  filter: 0,
  security: 50,
  "nat-source": 100,
  "selinux-last": 225,
  "conntrack-helper": 300,
  last: 2147483647,
});

export type NfTablesChainPriority = ValueOf<typeof nfTablesChainPriority>;

/** Verdict of an nftables rule. */
export const nfTablesVerdict = enumOf("NfTablesVerdict", { drop: 0, accept: 1 });

export type NfTablesVerdict = ValueOf<typeof nfTablesVerdict>;

/** Comparison operator. */
export const matchOperator = enumOf("MatchOperator", { "==": 0, "!=": 1 });

export type MatchOperator = ValueOf<typeof matchOperator>;

/** State of a tracked connection. */
export const conntrackState = enumOf("ConntrackState", { invalid: 1, established: 2, related: 4, new: 8 });

export type ConntrackState = ValueOf<typeof conntrackState>;

/** Protocol above IP. */
export const protocol = enumOf("Protocol", { icmp: 1, tcp: 6, udp: 17, icmpv6: 58 });

export type Protocol = ValueOf<typeof protocol>;
