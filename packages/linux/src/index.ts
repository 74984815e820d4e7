export { createLinuxTextFiles } from "./files/linux-text-files.ts";
export type { TextFiles } from "./files/text-files.ts";
export { hasErrno, kernelError } from "./ffi/errno.ts";
export { createLinuxMounts } from "./mounts/linux-mounts.ts";
export { formatMountFlags, mountFlags, parseMountOptions, type ParsedMountOptions } from "./mounts/mount-options.ts";
export { parseMountInfo, parseMountInfoLine, type MountInfo } from "./mounts/mountinfo.ts";
export type { FileSystemStats, MountRequest, Mounts, Propagation, UnmountOptions } from "./mounts/mounts.ts";
export type { Address, AddressSpec } from "./network/address.ts";
export {
  decodeIp,
  decodeMac,
  encodeIp,
  encodeMac,
  families,
  maskPrefix,
  parsePrefix,
  type Family,
  type Prefix,
} from "./network/ip.ts";
export {
  linkFlags,
  type BondSettings,
  type Link,
  type LinkChange,
  type LinkCreate,
  type LinkInfo,
  type LinkKind,
  type LinkStatistics,
  type NamespaceTarget,
  type VethPeer,
} from "./network/link.ts";
export { createLinuxNetworks } from "./network/linux-network.ts";
export type {
  MonitorOptions,
  Network,
  NetworkEvent,
  NetworkGroup,
  NetworkMonitor,
  Networks,
  WriteOptions,
} from "./network/network.ts";
export { routeTables, scopes, type NextHop, type Route, type RouteSpec } from "./network/route.ts";
export { ruleActions, type Rule, type RuleSpec } from "./network/rule.ts";
export { createProcfs, type ProcfsOptions } from "./procfs/create-procfs.ts";
export { parseCpuInfo, type CpuInfo } from "./procfs/cpuinfo.ts";
export { parseDiskStats, type DiskStat } from "./procfs/diskstats.ts";
export { parseNetDev, type NetDeviceStat } from "./procfs/net-dev.ts";
export { parseArguments, parseProcessStat, type ProcessInfo, type ProcessStat } from "./procfs/process-info.ts";
export type { LoadAverage, Procfs, Uptime } from "./procfs/procfs.ts";
export { parseLoadAverage, parseMemInfo, parseUptime } from "./procfs/small-files.ts";
export { parseSystemStat, type CpuStat, type SoftIrqStat, type SystemStat } from "./procfs/stat.ts";
export { createSysctl, sysctlPath, type Sysctl } from "./system/sysctl.ts";
