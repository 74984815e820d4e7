// The kernel, real and in memory.
export { createLinux, type LinuxOptions } from "./create-linux.ts";
export type { Linux } from "./linux.ts";
export { createMemoryLinux, type MemoryLinux, type MemoryLinuxOptions } from "./memory/create-memory-linux.ts";
export type { MemoryProgram } from "./memory/memory-namespaces.ts";
export type { MemoryProcessInit } from "./memory/memory-processes.ts";
export type { MemoryFile } from "./memory/text-files.ts";

// Errors.
export { hasErrno, kernelError, type ErrnoName, type Failure } from "./ffi/errno.ts";

// Contracts of the areas and the values they take.
export type { BlockDevices, BlockRange, OpenBlockDevice, OpenBlockOptions } from "./block/block-devices.ts";
export type { Cgroups, CgroupLimits, CgroupStats, Limit } from "./cgroups/cgroups.ts";
export type { ClockAdjustment, ClockState, KernelClock } from "./clock/kernel-clock.ts";
export type { Consoles } from "./consoles/consoles.ts";
export type { FileLock, Files, LockOptions } from "./files/files.ts";
export type { TextFiles } from "./files/text-files.ts";
export type { Watchdog, Watchdogs } from "./watchdogs/watchdogs.ts";
export {
  severities,
  type KernelLog,
  type KernelLogOptions,
  type KernelLogRecord,
  type Severity,
} from "./kmsg/kernel-log.ts";
export type { FileSystemStats, MountRequest, Mounts, Propagation, UnmountOptions } from "./mounts/mounts.ts";
export {
  namespaceKinds,
  type CommandResult,
  type NamespaceCommand,
  type NamespaceKind,
  type Namespaces,
} from "./namespaces/namespaces.ts";
export { spawnInNamespaces } from "./namespaces/spawn-in-namespaces.ts";
export type { Address, AddressSpec } from "./network/address.ts";
export type {
  Ethernet,
  EthernetChange,
  EthernetChannels,
  EthernetFeature,
  EthernetRings,
  EthernetSettings,
} from "./network/ethernet.ts";
export type { WireguardDevice, WireguardSettings } from "./network/wireguard.ts";
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
export type {
  MonitorOptions,
  Network,
  NetworkEvent,
  NetworkGroup,
  NetworkMonitor,
  Networks,
  WriteOptions,
} from "./network/network.ts";
export type { BpfInstruction, CapturedFrame, PacketCapture, PacketCaptureOptions } from "./network/packet-capture.ts";
export type { PacketSocket } from "./network/packet-socket.ts";
export { routeTables, scopes, type NextHop, type Route, type RouteSpec } from "./network/route.ts";
export { ruleActions, type Rule, type RuleSpec } from "./network/rule.ts";
export {
  resources,
  type Granted,
  type PeerCredentials,
  type Processes,
  type ReapedOrphan,
  type Reaper,
  type Resource,
  type ResourceLimit,
} from "./processes/processes.ts";
export { watchExit, type ExitStatus } from "./processes/exit-watch.ts";
export type { LoadAverage, Procfs, Uptime } from "./procfs/procfs.ts";
export type { Sysctl } from "./system/sysctl.ts";
export { rebootCommands, type RebootCommand, type System } from "./system/system.ts";
export type { Uevent, UeventMessage, Uevents } from "./uevents/uevent.ts";

// Pure parsers and codecs.
export { parseKernelLogRecord } from "./kmsg/kernel-log.ts";
export { formatMountFlags, mountFlags, parseMountOptions, type ParsedMountOptions } from "./mounts/mount-options.ts";
export { parseMountInfo, parseMountInfoLine, type MountInfo } from "./mounts/mountinfo.ts";
export { families, familyOf, type Family } from "./network/family.ts";
export { decodeMac, encodeMac } from "./network/hardware-address.ts";
export { parseCpuInfo, type CpuInfo } from "./procfs/cpuinfo.ts";
export { createProcfs, type ProcfsOptions } from "./procfs/create-procfs.ts";
export { parseDiskStats, type DiskStat } from "./procfs/diskstats.ts";
export { parseNetDev, type NetDeviceStat } from "./procfs/net-dev.ts";
export { parseArguments, parseProcessStat, type ProcessInfo, type ProcessStat } from "./procfs/process-info.ts";
export { parseLoadAverage, parseMemInfo, parseUptime } from "./procfs/small-files.ts";
export { parseSystemStat, type CpuStat, type SoftIrqStat, type SystemStat } from "./procfs/stat.ts";
export { createSysctl } from "./system/sysctl.ts";
export { parseUevent } from "./uevents/uevent.ts";

// First steps of a machine, before its root file system is there.
export { attachLoopDevice } from "./boot/loop-device.ts";
export { insertModule } from "./boot/insert-module.ts";
export { switchRoot } from "./boot/switch-root.ts";

export { watchPowerButtons } from "./input/power-button.ts";

// Disks.
export { encodeGpt, gptUsableBytes, type GptImage, type GptPartition } from "./block/gpt.ts";
export {
  gptEntries,
  gptFreeRanges,
  readGptTable,
  withGptEntry,
  withoutGptEntry,
  writeGptTable,
  type GptEntry,
  type GptTable,
} from "./block/gpt-table.ts";
export { addKernelPartition, type KernelPartition } from "./block/partitions.ts";

// Single areas of the real kernel, for programs that need no more than one.
export { createLinuxTextFiles } from "./files/linux-text-files.ts";
export { createLinuxMounts } from "./mounts/linux-mounts.ts";
export { createLinuxNetworks } from "./network/linux-network.ts";
