/** Attributes of a link message (IFLA_*). */
export const ifla = {
  ADDRESS: 1,
  BROADCAST: 2,
  IFNAME: 3,
  MTU: 4,
  LINK: 5,
  QDISC: 6,
  MASTER: 10,
  OPERSTATE: 16,
  LINKINFO: 18,
  NET_NS_PID: 19,
  IFALIAS: 20,
  STATS64: 23,
  NET_NS_FD: 28,
  CARRIER: 33,
  PROP_LIST: 52,
  ALT_IFNAME: 53,
  PERM_ADDRESS: 54,
} as const;

/** Attributes inside LINKINFO. */
export const iflaInfo = { KIND: 1, DATA: 2, SLAVE_KIND: 4 } as const;
