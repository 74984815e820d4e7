/** Message types of rtnetlink. */
export const rtm = {
  NEWLINK: 16,
  DELLINK: 17,
  GETLINK: 18,
  SETLINK: 19,
  NEWADDR: 20,
  DELADDR: 21,
  GETADDR: 22,
  NEWROUTE: 24,
  DELROUTE: 25,
  GETROUTE: 26,
  NEWRULE: 32,
  DELRULE: 33,
  GETRULE: 34,
} as const;

/** Multicast groups as bits of the address. */
export const groups = {
  links: 0x1,
  addresses: 0x10 | 0x100,
  routes: 0x40 | 0x400,
  rules: 0x80 | 0x40000,
} as const;
