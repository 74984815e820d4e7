import { createLinuxBlockDevices } from "./block/linux-block-devices.ts";
import { openLinuxCgroups } from "./cgroups/linux-cgroups.ts";
import type { Cgroups } from "./cgroups/cgroups.ts";
import { createLinuxClock } from "./clock/linux-clock.ts";
import { createLinuxConsoles } from "./consoles/linux-consoles.ts";
import { libc } from "./ffi/libc.ts";
import { createLinuxFiles } from "./files/linux-files.ts";
import { createLinuxTextFiles } from "./files/linux-text-files.ts";
import { createLinuxKernelLog } from "./kmsg/linux-kernel-log.ts";
import type { Linux } from "./linux.ts";
import { createLinuxMounts } from "./mounts/linux-mounts.ts";
import { createLinuxNamespaces } from "./namespaces/linux-namespaces.ts";
import { createLinuxNetworks } from "./network/linux-network.ts";
import { createLinuxProcesses } from "./processes/linux-processes.ts";
import { createProcfs } from "./procfs/create-procfs.ts";
import { createLinuxSystem } from "./system/linux-system.ts";
import { createSysctl } from "./system/sysctl.ts";
import { createLinuxUevents } from "./uevents/linux-uevents.ts";
import { createLinuxWatchdogs } from "./watchdogs/linux-watchdogs.ts";
import { createLinuxUnixDatagrams } from "./unix-datagrams/linux-unix-datagrams.ts";

const SC_PAGESIZE = 30;

/** Settings of `createLinux`. */
export interface LinuxOptions {
  /** Mount point of control groups. @default {"/sys/fs/cgroup"} */
  readonly cgroupRoot?: string;
}

/** The running kernel. */
export function createLinux({ cgroupRoot = "/sys/fs/cgroup" }: LinuxOptions = {}): Linux {
  const textFiles = createLinuxTextFiles();
  const mounts = createLinuxMounts();
  const networks = createLinuxNetworks();
  let cgroups: Promise<Cgroups> | undefined;
  return {
    mounts,
    networks,
    textFiles,
    procfs: createProcfs(textFiles, { pageBytes: Number(libc().functions.sysconf(SC_PAGESIZE)) }),
    sysctl: createSysctl(textFiles),
    namespaces: createLinuxNamespaces(mounts, networks),
    system: createLinuxSystem(),
    processes: createLinuxProcesses(textFiles),
    clock: createLinuxClock(),
    uevents: createLinuxUevents(),
    unixDatagrams: createLinuxUnixDatagrams(),
    kernelLog: createLinuxKernelLog(),
    watchdogs: createLinuxWatchdogs(),
    consoles: createLinuxConsoles(textFiles),
    files: createLinuxFiles(),
    blockDevices: createLinuxBlockDevices(),
    async cgroups() {
      cgroups ??= mounts.list().then((list) => openLinuxCgroups({ files: textFiles, mounts: list, root: cgroupRoot }));
      try {
        return await cgroups;
      } catch (err) {
        cgroups = undefined;
        throw err;
      }
    },
    [Symbol.dispose]: () => networks.here[Symbol.dispose](),
  };
}
