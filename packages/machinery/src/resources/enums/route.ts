import { enumOf, flagsOf, type ValueOf } from "../dsl/index.ts";

/** Type of a route. */
export const routeType = enumOf("RouteType", {
  unspec: 0,
  unicast: 1,
  local: 2,
  broadcast: 3,
  anycast: 4,
  multicast: 5,
  blackhole: 6,
  unreachable: 7,
  prohibit: 8,
  throw: 9,
  nat: 10,
  xresolve: 11,
});

export type RouteType = ValueOf<typeof routeType>;

/** Properties of a route (`RTM_F_*`). */
export const routeFlags = flagsOf({
  notify: 256,
  cloned: 512,
  equalize: 1024,
  prefix: 2048,
  lookup_table: 4096,
  fib_match: 8192,
  offload: 16384,
  trap: 32768,
});

export type RouteFlags = ValueOf<typeof routeFlags>;

/** Protocol of a route: its origin. */
export const routeProtocol = enumOf("RouteProtocol", {
  unspec: 0,
  redirect: 1,
  kernel: 2,
  boot: 3,
  static: 4,
  ra: 9,
  mrt: 10,
  zebra: 11,
  bird: 12,
  dnrouted: 13,
  xorp: 14,
  ntk: 15,
  dhcp: 16,
  mrtd: 17,
  keepalived: 18,
  babel: 42,
  openr: 99,
  bgp: 186,
  isis: 187,
  ospf: 188,
  rip: 189,
  eigrp: 192,
});

export type RouteProtocol = ValueOf<typeof routeProtocol>;

/** Action of a routing rule. */
export const routingRuleAction = enumOf("RoutingRuleAction", {
  unspec: 0,
  unicast: 1,
  blackhole: 6,
  unreachable: 7,
  prohibit: 8,
});

export type RoutingRuleAction = ValueOf<typeof routingRuleAction>;
