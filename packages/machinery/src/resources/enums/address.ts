import { enumOf, flagsOf, type ValueOf } from "../dsl/index.ts";

/** Address family. */
export const family = enumOf("Family", { inet4: 2, inet6: 10 });

export type Family = ValueOf<typeof family>;

/** Scope of an address or a route (rtnetlink(7)). */
export const scope = enumOf("Scope", { global: 0, site: 200, link: 253, host: 254, nowhere: 255 });

export type Scope = ValueOf<typeof scope>;

/** Properties of an address on a link (`IFA_F_*`). */
export const addressFlags = flagsOf({
  temporary: 1,
  nodad: 2,
  optimistic: 4,
  dadfailed: 8,
  homeaddress: 16,
  deprecated: 32,
  tentative: 64,
  permanent: 128,
  mngmtmpaddr: 256,
  noprefixroute: 512,
  mcautojoin: 1024,
  stableprivacy: 2048,
});

export type AddressFlags = ValueOf<typeof addressFlags>;

/** Sort order of the addresses of a node. */
export const addressSortAlgorithm = enumOf("AddressSortAlgorithm", { v1: 0, v2: 1 });

export type AddressSortAlgorithm = ValueOf<typeof addressSortAlgorithm>;
