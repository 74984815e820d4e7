import { bool, field, list, message, omitEmpty, optional, text, uint32, uint64, type ValueOf } from "../dsl/index.ts";
import { conntrackState, matchOperator, nfTablesVerdict, protocol } from "../enums/index.ts";
import { ipPrefix } from "../values/index.ts";

const ifNameMatch = message({
  interfaceName: field(3, list(text)),
  operator: field(2, matchOperator),
});

const mark = message({
  mask: omitEmpty(1, uint32),
  xor: omitEmpty(2, uint32),
  value: omitEmpty(3, uint32),
});

const conntrackStateMatch = message({
  states: field(1, list(conntrackState)),
});

const addressMatch = message({
  includeSubnets: omitEmpty(1, list(ipPrefix)),
  excludeSubnets: omitEmpty(2, list(ipPrefix)),
  invert: omitEmpty(3, bool),
});

const portRange = message({
  lo: field(1, uint32),
  hi: field(2, uint32),
});

const portMatch = message({
  ranges: omitEmpty(1, list(portRange)),
});

const icmpTypeMatch = message({
  types: field(1, list(uint32)),
});

const layer4Match = message({
  protocol: field(1, protocol),
  matchSourcePort: omitEmpty(2, optional(portMatch)),
  matchDestinationPort: omitEmpty(3, optional(portMatch)),
  matchICMPType: omitEmpty(4, optional(icmpTypeMatch)),
});

const limitMatch = message({
  packetRatePerSecond: field(1, uint64),
});

const clampMss = message({
  mtu: field(1, uint32),
});

/** One rule of a chain: what it matches, then what it does. */
export const nftablesRule = message({
  matchIIfName: omitEmpty(8, optional(ifNameMatch)),
  matchOIfName: omitEmpty(1, optional(ifNameMatch)),
  matchMark: omitEmpty(3, optional(mark)),
  matchConntrackState: omitEmpty(11, optional(conntrackStateMatch)),
  matchSourceAddress: omitEmpty(5, optional(addressMatch)),
  matchDestinationAddress: omitEmpty(6, optional(addressMatch)),
  matchLayer4: omitEmpty(7, optional(layer4Match)),
  matchLimit: omitEmpty(10, optional(limitMatch)),
  clampMSS: omitEmpty(9, optional(clampMss)),
  setMark: omitEmpty(4, optional(mark)),
  anonymousCounter: omitEmpty(12, bool),
  verdict: omitEmpty(2, optional(nfTablesVerdict)),
});

export type NftablesRule = ValueOf<typeof nftablesRule>;
