import type { MountInfo } from "../mounts/mountinfo.ts";
import type { CpuInfo } from "./cpuinfo.ts";
import type { DiskStat } from "./diskstats.ts";
import type { NetDeviceStat } from "./net-dev.ts";
import type { ProcessInfo } from "./process-info.ts";
import type { SystemStat } from "./stat.ts";

/** Load averages over 1, 5 and 15 minutes (proc_loadavg(5)). */
export interface LoadAverage {
  readonly load1: number;
  readonly load5: number;
  readonly load15: number;
}

/** Time since boot and time spent idle by all processors, in seconds (proc_uptime(5)). */
export interface Uptime {
  readonly uptimeSeconds: number;
  /** Summed over all processors. */
  readonly idleSeconds: number;
}

/** Describes what the kernel tells about itself and its processes in /proc. Errors have codes `file/<errno>`. */
export interface Procfs {
  /** Every process that lived through the reading. */
  processes(): Promise<readonly ProcessInfo[]>;
  /** One process; `undefined` when it is gone. */
  process(pid: number): Promise<ProcessInfo | undefined>;
  /** Values by the kernel's names (`MemTotal`); those with a unit are kibibytes. */
  memory(): Promise<ReadonlyMap<string, number>>;
  stat(): Promise<SystemStat>;
  loadAverage(): Promise<LoadAverage>;
  cpus(): Promise<readonly CpuInfo[]>;
  disks(): Promise<readonly DiskStat[]>;
  netDevices(): Promise<readonly NetDeviceStat[]>;
  mounts(): Promise<readonly MountInfo[]>;
  uptime(): Promise<Uptime>;
  /** The command line of the kernel. */
  commandLine(): Promise<string>;
}
