/** The words that options of a bond may have, in the order of the kernel's bonding driver: the first is the default. */
export const bondWords = {
  mode: ["balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb"],
  xmitHashPolicy: ["layer2", "layer3+4", "layer2+3", "encap2+3", "encap3+4"],
  lacpRate: ["slow", "fast"],
  arpValidate: ["none", "active", "backup", "all", "filter", "filter-active", "filter-backup"],
  arpAllTargets: ["any", "all"],
  primaryReselect: ["always", "better", "failure"],
  failOverMac: ["none", "active", "follow"],
  adSelect: ["stable", "bandwidth", "count"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
