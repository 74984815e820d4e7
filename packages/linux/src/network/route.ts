import type { Family } from "./family.ts";

/** Numbers of the routing tables that every kernel has (`RT_TABLE_*`). */
export const routeTables = { default: 253, main: 254, local: 255 } as const;

/** Numbers of address and route scopes (`RT_SCOPE_*`). */
export const scopes = { global: 0, site: 200, link: 253, host: 254, nowhere: 255 } as const;

/** One of several next hops of a route (`RTA_MULTIPATH`). */
export interface NextHop {
  readonly gateway: string | undefined;
  readonly linkIndex: number;
  /** 1 is the least. */
  readonly weight: number;
}

/** A route, as the kernel reports it (`RTM_NEWROUTE`). */
export interface Route {
  readonly family: Family;
  /** `address/length`, or `undefined` for the default route. */
  readonly destination: string | undefined;
  /** Preferred source address. */
  readonly source: string | undefined;
  readonly gateway: string | undefined;
  /** 0 if none. */
  readonly linkIndex: number;
  readonly table: number;
  readonly priority: number;
  readonly scope: number;
  /** RTN_*: 1 unicast, 2 local, 6 blackhole, 7 unreachable. */
  readonly type: number;
  /** RTNH_F_* and RTM_F_*. */
  readonly flags: number;
  /** RTPROT_*: 2 kernel, 3 boot, 4 static. */
  readonly protocol: number;
  /** 0 if not set. */
  readonly mtu: number;
  readonly nextHops: readonly NextHop[];
}

/** A route to add, with the defaults of `ip route`; or to delete, where what is left out matches anything. */
export interface RouteSpec {
  /** Needed only for a default route without gateway. */
  readonly family?: Family;
  readonly destination?: string;
  readonly source?: string;
  readonly gateway?: string;
  readonly linkIndex?: number;
  /** @default {254} */
  readonly table?: number;
  readonly priority?: number;
  readonly scope?: number;
  /** @default {1} */
  readonly type?: number;
  /** 4 (RTNH_F_ONLINK) accepts a gateway that no connected prefix covers. */
  readonly flags?: number;
  /** @default {3} */
  readonly protocol?: number;
  readonly mtu?: number;
  readonly nextHops?: readonly { readonly gateway?: string; readonly linkIndex: number; readonly weight?: number }[];
}
