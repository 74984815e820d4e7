import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Mode of a bond. */
export const bondMode = enumOf("BondMode", {
  "balance-rr": 0,
  "active-backup": 1,
  "balance-xor": 2,
  broadcast: 3,
  "802.3ad": 4,
  "balance-tlb": 5,
  "balance-alb": 6,
});

export type BondMode = ValueOf<typeof bondMode>;

/** Transmit hash policy of a bond. */
export const bondXmitHashPolicy = enumOf("BondXmitHashPolicy", {
  layer2: 0,
  "layer3+4": 1,
  "layer2+3": 2,
  "encap2+3": 3,
  "encap3+4": 4,
});

export type BondXmitHashPolicy = ValueOf<typeof bondXmitHashPolicy>;

/** LACP rate. */
export const lacpRate = enumOf("LACPRate", { slow: 0, fast: 1 });

export type LacpRate = ValueOf<typeof lacpRate>;

/** ARP validation of a bond. */
export const arpValidate = enumOf("ARPValidate", {
  none: 0,
  active: 1,
  backup: 2,
  all: 3,
  filter: 4,
  "filter-active": 5,
  "filter-backup": 6,
});

export type ArpValidate = ValueOf<typeof arpValidate>;

/** Number of ARP targets that must answer. */
export const arpAllTargets = enumOf("ARPAllTargets", { any: 0, all: 1 });

export type ArpAllTargets = ValueOf<typeof arpAllTargets>;

/** Reselection policy of the primary link. */
export const primaryReselect = enumOf("PrimaryReselect", { always: 0, better: 1, failure: 2 });

export type PrimaryReselect = ValueOf<typeof primaryReselect>;

/** Rule by which the bond takes the MAC address of a link. */
export const failOverMac = enumOf("FailOverMAC", { none: 0, active: 1, follow: 2 });

export type FailOverMac = ValueOf<typeof failOverMac>;

/** Aggregator selection of 802.3ad. */
export const adSelect = enumOf("ADSelect", { stable: 0, bandwidth: 1, count: 2 });

export type AdSelect = ValueOf<typeof adSelect>;

/** Reports whether LACP packets are sent unasked. */
export const adLacpActive = enumOf("ADLACPActive", { off: 0, on: 1 });

export type AdLacpActive = ValueOf<typeof adLacpActive>;
