import type { Linux } from "../linux.ts";
import { createProcfs } from "../procfs/create-procfs.ts";
import { createSysctl } from "../system/sysctl.ts";
import { createMemoryBlockDevices, type MemoryBlockDevices } from "./memory-block-devices.ts";
import { createMemoryCgroups, type MemoryCgroups } from "./memory-cgroups.ts";
import { createMemoryConsoles, type MemoryConsoles } from "./memory-consoles.ts";
import { createMemoryFiles, type MemoryFiles } from "./memory-files.ts";
import { createMemoryKernelLog } from "./memory-kernel-log.ts";
import { createMemoryMounts } from "./memory-mounts.ts";
import { createMemoryNamespaces, type MemoryProgram } from "./memory-namespaces.ts";
import { createMemoryNetworks, type MemoryNetworks } from "./memory-networks.ts";
import { createMemoryProcesses, type MemoryProcesses } from "./memory-processes.ts";
import { createMemoryClock, createMemorySystem, type MemoryClock, type MemorySystem } from "./memory-system.ts";
import { createMemoryUnixDatagrams } from "./memory-unix-datagrams.ts";
import { createMemoryUevents, type MemoryUevents } from "./memory-uevents.ts";
import { createMemoryWatchdogs, type MemoryWatchdogs } from "./memory-watchdogs.ts";
import { createMemoryPaths, type MemoryPaths } from "./paths.ts";
import { procFiles } from "./proc-files.ts";
import { createMemoryTextFiles, type MemoryTextFiles } from "./text-files.ts";

/** Initial contents of an in-memory kernel. */
export interface MemoryLinuxOptions {
  /** @default {"memory"} */
  readonly hostname?: string;
  /** Commands that `namespaces.run` finds. `uname` is always there. */
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  /** @default {true} */
  readonly mayLowerOomScore?: boolean;
}

/** A kernel in memory: the same interfaces, and handles to stage and inspect what it is asked to do. */
export interface MemoryLinux extends Linux {
  /** Folders and files that exist, such as mount targets. */
  readonly paths: MemoryPaths;
  readonly textFiles: MemoryTextFiles;
  readonly processes: MemoryProcesses;
  readonly system: MemorySystem;
  readonly consoles: MemoryConsoles;
  readonly clock: MemoryClock;
  readonly uevents: MemoryUevents;
  readonly files: MemoryFiles;
  readonly networks: MemoryNetworks;
  readonly watchdogs: MemoryWatchdogs;
  readonly blockDevices: MemoryBlockDevices;
  cgroups(): Promise<MemoryCgroups>;
}

/** Creates a kernel in memory that passes the conformance suite of the real one, for tests of what uses it. */
export function createMemoryLinux(options: MemoryLinuxOptions = {}): MemoryLinux {
  const paths = createMemoryPaths();
  const textFiles = createMemoryTextFiles();
  const mounts = createMemoryMounts(paths);
  const system = createMemorySystem(options.hostname ?? "memory");
  const uevents = createMemoryUevents();
  const networks = createMemoryNetworks((action, link) => {
    const devicePath = `/devices/virtual/net/${link.name}`;
    const values = new Map([
      ["ACTION", action],
      ["DEVPATH", devicePath],
      ["SUBSYSTEM", "net"],
      ["INTERFACE", link.name],
      ["IFINDEX", String(link.index)],
    ]);
    uevents.emit({ action, devicePath, subsystem: "net", values });
  });
  const processes = createMemoryProcesses({
    files: textFiles,
    ...(options.mayLowerOomScore === undefined ? {} : { mayLowerOomScore: options.mayLowerOomScore }),
  });
  const cgroups = createMemoryCgroups(processes);

  for (const [path, file] of Object.entries(procFiles)) textFiles.tree.set(path, file);
  textFiles.tree.set("/proc/self/mountinfo", { read: () => mounts.format() });
  textFiles.tree.set("/proc/sys/kernel/hostname", {
    read: () => `${system.hostname()}\n`,
    write: (text) => system.setHostname(text.trimEnd()),
  });

  return {
    paths,
    textFiles,
    mounts,
    networks,
    system,
    uevents,
    unixDatagrams: createMemoryUnixDatagrams(),
    processes,
    consoles: createMemoryConsoles(textFiles),
    procfs: createProcfs(textFiles),
    sysctl: createSysctl(textFiles),
    namespaces: createMemoryNamespaces(networks, paths, {
      uname: () => ({ stdout: `${system.hostname()}\n` }),
      ...options.programs,
    }),
    clock: createMemoryClock(),
    kernelLog: createMemoryKernelLog(),
    watchdogs: createMemoryWatchdogs(),
    files: createMemoryFiles(paths),
    blockDevices: createMemoryBlockDevices(),
    cgroups: async () => cgroups,
    [Symbol.dispose]: () => undefined,
  };
}
