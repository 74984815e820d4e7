export {
  addressBytes,
  canonicalAddress,
  compareAddresses,
  formatAddress,
  isAddress,
  isIPv6,
  isMulticast,
  isSideroLink,
  rangeOf,
  unmapAddress,
  type AddressRange,
} from "./address.ts";
export { filterAddresses } from "./filter.ts";
export {
  addressOf,
  broadcastAddress,
  isPrefix,
  isPrefixOrAddress,
  maskPrefix,
  nthAddress,
  parsePrefix,
  prefixContains,
  prefixesOverlap,
  type Prefix,
} from "./prefix.ts";
