export {
  family,
  type Family,
  scope,
  type Scope,
  addressFlags,
  type AddressFlags,
  addressSortAlgorithm,
  type AddressSortAlgorithm,
} from "./address.ts";
export {
  volumeType,
  type VolumeType,
  volumePhase,
  type VolumePhase,
  filesystemType,
  type FilesystemType,
  encryptionKeyType,
  type EncryptionKeyType,
  encryptionProviderType,
  type EncryptionProviderType,
  fsParameterType,
  type FsParameterType,
} from "./block.ts";
export {
  bondMode,
  type BondMode,
  bondXmitHashPolicy,
  type BondXmitHashPolicy,
  lacpRate,
  type LacpRate,
  arpValidate,
  type ArpValidate,
  arpAllTargets,
  type ArpAllTargets,
  primaryReselect,
  type PrimaryReselect,
  failOverMac,
  type FailOverMac,
  adSelect,
  type AdSelect,
  adLacpActive,
  type AdLacpActive,
} from "./bond.ts";
export { port, type Port, duplex, type Duplex, wolMode, type WolMode } from "./ethernet.ts";
export {
  imageCacheStatus,
  type ImageCacheStatus,
  imageCacheCopyStatus,
  type ImageCacheCopyStatus,
} from "./image-cache.ts";
export { peerState, type PeerState } from "./kubespan.ts";
export {
  linkType,
  type LinkType,
  linkFlags,
  type LinkFlags,
  operationalState,
  type OperationalState,
  vlanProtocol,
  type VlanProtocol,
} from "./link.ts";
export {
  machineType,
  type MachineTypeName,
  machineStage,
  type MachineStage,
  selinuxState,
  type SelinuxState,
  fipsState,
  type FipsState,
} from "./machine.ts";
export {
  configLayer,
  type ConfigLayer,
  operator,
  type Operator,
  clientIdentifier,
  type ClientIdentifier,
} from "./network.ts";
export {
  nfTablesChainHook,
  type NfTablesChainHook,
  nfTablesChainPriority,
  type NfTablesChainPriority,
  nfTablesVerdict,
  type NfTablesVerdict,
  matchOperator,
  type MatchOperator,
  conntrackState,
  type ConntrackState,
  protocol,
  type Protocol,
} from "./nftables.ts";
export {
  routeType,
  type RouteType,
  routeFlags,
  type RouteFlags,
  routeProtocol,
  type RouteProtocol,
  routingRuleAction,
  type RoutingRuleAction,
} from "./route.ts";
export { routingTable, type RoutingTable } from "./routing-table.ts";
