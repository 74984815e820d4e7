import type { BlockDevices } from "./block/block-devices.ts";
import type { Cgroups } from "./cgroups/cgroups.ts";
import type { KernelClock } from "./clock/kernel-clock.ts";
import type { Consoles } from "./consoles/consoles.ts";
import type { Files } from "./files/files.ts";
import type { TextFiles } from "./files/text-files.ts";
import type { KernelLog } from "./kmsg/kernel-log.ts";
import type { Mounts } from "./mounts/mounts.ts";
import type { Namespaces } from "./namespaces/namespaces.ts";
import type { Networks } from "./network/network.ts";
import type { Processes } from "./processes/processes.ts";
import type { Procfs } from "./procfs/procfs.ts";
import type { Sysctl } from "./system/sysctl.ts";
import type { System } from "./system/system.ts";
import type { Uevents } from "./uevents/uevent.ts";
import type { Watchdogs } from "./watchdogs/watchdogs.ts";
import type { UnixDatagrams } from "./unix-datagrams/unix-datagrams.ts";

/** The kernel, as everything above this package sees it. Two implementations pass one conformance suite. */
export interface Linux extends Disposable {
  readonly mounts: Mounts;
  readonly networks: Networks;
  readonly procfs: Procfs;
  readonly sysctl: Sysctl;
  readonly namespaces: Namespaces;
  readonly system: System;
  readonly processes: Processes;
  readonly clock: KernelClock;
  readonly uevents: Uevents;
  readonly unixDatagrams: UnixDatagrams;
  readonly kernelLog: KernelLog;
  readonly watchdogs: Watchdogs;
  readonly consoles: Consoles;
  readonly files: Files;
  readonly blockDevices: BlockDevices;
  /** The text files of /proc and /sys that have no reader of their own here. */
  readonly textFiles: TextFiles;
  /** Control groups, found on first use: they are mounted only while the machine boots. */
  cgroups(): Promise<Cgroups>;
}
