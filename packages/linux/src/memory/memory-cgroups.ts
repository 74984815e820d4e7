import { assertCgroupPath, parentsOf } from "../cgroups/cgroup-path.ts";
import type { CgroupLimits, Cgroups } from "../cgroups/cgroups.ts";
import { kernelError, type ErrnoName } from "../ffi/errno.ts";
import type { MemoryProcesses } from "./memory-processes.ts";

interface Group {
  readonly pids: Set<number>;
  limits: CgroupLimits;
}

export interface MemoryCgroups extends Cgroups {
  /** Returns the limits that were set, for tests to look at. */
  limits(path: string): CgroupLimits | undefined;
}

/** Control groups of version 2 in memory. */
export function createMemoryCgroups(processes: MemoryProcesses): MemoryCgroups {
  const groups = new Map<string, Group>();
  processes.onEnd((pid) => {
    for (const group of groups.values()) group.pids.delete(pid);
  });
  const refuse = (action: string, errno: ErrnoName): never => {
    throw kernelError({ area: "cgroup", action, errno });
  };
  const find = (path: string, action: string): Group => groups.get(assertCgroupPath(path)) ?? refuse(action, "ENOENT");
  const tree = (path: string): readonly (readonly [string, Group])[] =>
    [...groups].filter(([name]) => name === path || name.startsWith(`${path}/`));
  const pidsIn = (path: string): readonly number[] => tree(path).flatMap(([, group]) => Array.from(group.pids));

  return {
    version: 2,
    controllers: ["cpu", "cpuset", "io", "memory", "pids"],
    limits: (path) => groups.get(path)?.limits,
    async create(path) {
      for (const [, group] of parentsOf(assertCgroupPath(path))) {
        if (!groups.has(group)) groups.set(group, { pids: new Set(), limits: {} });
      }
    },
    async attach(path, pid) {
      const action = `move process ${String(pid)} to group "${path}"`;
      const group = find(path, action);
      if (!processes.has(pid)) refuse(action, "ESRCH");
      for (const other of groups.values()) other.pids.delete(pid);
      group.pids.add(pid);
    },
    async setLimits(path, limits) {
      const group = find(path, `set limits of group "${path}"`);
      group.limits = { ...group.limits, ...limits };
      return [];
    },
    processes: async (path) => [...find(path, `list the processes of group "${path}"`).pids],
    async children(path) {
      find(path, `list the groups below "${path}"`);
      const depth = path.split("/").length;
      return tree(path)
        .map(([name]) => name.split("/"))
        .filter((parts) => parts.length === depth + 1)
        .map((parts) => parts[depth] ?? "");
    },
    async stats(path) {
      find(path, `read the statistics of group "${path}"`);
      const pids = pidsIn(path);
      return {
        memoryBytes: BigInt(pids.length) << 20n,
        cpuMicroseconds: 0n,
        processes: BigInt(pids.length),
        populated: pids.length > 0,
      };
    },
    async kill(path) {
      find(path, `kill group "${path}"`);
      for (const pid of pidsIn(path)) processes.kill(pid, "SIGKILL");
    },
    async remove(path) {
      assertCgroupPath(path);
      if (pidsIn(path).length > 0) refuse(`remove group "${path}"`, "EBUSY");
      for (const [name] of tree(path)) groups.delete(name);
    },
  };
}
