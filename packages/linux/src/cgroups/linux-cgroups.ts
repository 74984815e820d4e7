import { isKind, OsError, systemClock, type Clock } from "@talos-ts/base";
import { mkdir, readdir, rmdir } from "node:fs/promises";
import { fileError, hasErrno } from "../ffi/errno.ts";
import type { TextFiles } from "../files/text-files.ts";
import type { MountInfo } from "../mounts/mountinfo.ts";
import { assertCgroupPath, parentsOf } from "./cgroup-path.ts";
import type { CgroupLimits, Cgroups } from "./cgroups.ts";
import { findHierarchies } from "./hierarchies.ts";
import { limitFiles, statFiles } from "./limit-files.ts";

export interface LinuxCgroupsOptions {
  readonly files: TextFiles;
  readonly mounts: readonly MountInfo[];
  /** @default {"/sys/fs/cgroup"} */
  readonly root?: string;
  readonly clock?: Clock;
}

const CHECK_MS = 5;

/** Opens the control groups of the running kernel, whichever version it has. @throws OsError `cgroup/not-mounted` */
export async function openLinuxCgroups({
  files,
  mounts,
  root = "/sys/fs/cgroup",
  clock = systemClock,
}: LinuxCgroupsOptions): Promise<Cgroups> {
  const trees = await findHierarchies(mounts, files, root);
  const { version } = trees;
  const anywhere = trees.rootOf("") ?? root;

  const optional = async <T>(work: Promise<T>, fallback: T): Promise<T> => {
    try {
      return await work;
    } catch (err) {
      if (isKind(err, "not-found") || hasErrno(err, "ENOTSUP") || hasErrno(err, "EOPNOTSUPP")) return fallback;
      throw err;
    }
  };

  async function subgroups(folder: string, path: string): Promise<readonly string[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    } catch (err) {
      throw fileError("cgroup", `list the groups below "${path}"`, err);
    }
  }

  /** Children get a controller only if every group above hands it down. */
  async function handDown(folder: string): Promise<void> {
    for (const controller of trees.controllers) {
      // A group that has processes of its own cannot hand down some controllers; its limits then do not apply.
      await files.write(`${folder}/cgroup.subtree_control`, `+${controller}`).catch(() => undefined);
    }
  }

  /** A version 1 cpuset starts empty, and nothing can be attached to it until it has processors and memory. */
  async function fillCpuset(parent: string, folder: string): Promise<void> {
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
      if ((await files.read(`${folder}/${file}`)).trim() !== "") continue;
      await files.write(`${folder}/${file}`, (await files.read(`${parent}/${file}`)).trim());
    }
  }

  async function createIn(tree: string, path: string): Promise<void> {
    for (const [parent, group] of parentsOf(path)) {
      if (version === 2) await handDown(`${tree}${parent}`);
      try {
        await mkdir(`${tree}${group}`);
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw fileError("cgroup", `create group "${path}"`, err);
      }
      if (version === 1 && tree === trees.rootOf("cpuset")) await fillCpuset(`${tree}${parent}`, `${tree}${group}`);
    }
  }

  async function processesIn(folder: string): Promise<readonly number[]> {
    const text = await files.read(`${folder}/cgroup.procs`);
    return text
      .split("\n")
      .filter((line) => line !== "" && line !== "0")
      .map(Number);
  }

  async function allProcesses(folder: string, path: string): Promise<readonly number[]> {
    const found = [...(await processesIn(folder))];
    for (const name of await subgroups(folder, path)) found.push(...(await allProcesses(`${folder}/${name}`, path)));
    return found;
  }

  async function removeIn(folder: string, path: string): Promise<void> {
    for (const name of await optional(subgroups(folder, path), [])) await removeIn(`${folder}/${name}`, path);
    try {
      await rmdir(folder);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== "ENOENT") throw fileError("cgroup", `remove group "${path}"`, err);
    }
  }

  return {
    version,
    controllers: trees.controllers,
    async create(path) {
      assertCgroupPath(path);
      for (const tree of trees.roots) await createIn(tree, path);
    },
    async attach(path, pid) {
      assertCgroupPath(path);
      for (const tree of trees.roots) {
        await files.write(`${tree}${path}/cgroup.procs`, String(pid)).catch((err: unknown) => {
          const cause = OsError.from(err).cause ?? err;
          throw fileError("cgroup", `move process ${String(pid)} to group "${path}"`, cause);
        });
      }
    },
    async setLimits(path, limits) {
      assertCgroupPath(path);
      const unsupported: (keyof CgroupLimits)[] = [];
      for (const [name, value] of Object.entries(limits) as [keyof CgroupLimits, bigint | string | undefined][]) {
        if (value === undefined) continue;
        const file = limitFiles[version][name];
        const tree = file === undefined ? undefined : trees.rootOf(file.controller);
        if (file === undefined || tree === undefined) {
          unsupported.push(name);
          continue;
        }
        await files.write(`${tree}${path}/${file.file}`, file.format(value));
      }
      return unsupported;
    },
    processes: async (path) => processesIn(`${anywhere}${assertCgroupPath(path)}`),
    children: async (path) => subgroups(`${anywhere}${assertCgroupPath(path)}`, path),
    async stats(path) {
      assertCgroupPath(path);
      const populated = (await allProcesses(`${anywhere}${path}`, path)).length > 0;
      const value = async (name: "memoryBytes" | "cpuMicroseconds" | "processes"): Promise<bigint | undefined> => {
        const { controller, file, parse } = statFiles[version][name];
        const tree = trees.rootOf(controller);
        if (tree === undefined) return undefined;
        const text = await optional(files.read(`${tree}${path}/${file}`), "");
        return parse(text);
      };
      return {
        memoryBytes: await value("memoryBytes"),
        cpuMicroseconds: await value("cpuMicroseconds"),
        processes: await value("processes"),
        populated,
      };
    },
    async kill(path, signal) {
      assertCgroupPath(path);
      const folder = `${anywhere}${path}`;
      // One write kills a whole version 2 tree at once; elsewhere new children are caught by going round again.
      if (version === 2) await optional(files.write(`${folder}/cgroup.kill`, "1"), undefined);
      for (;;) {
        signal?.throwIfAborted();
        const pids = await allProcesses(folder, path);
        if (pids.length === 0) return;
        for (const pid of pids) {
          try {
            process.kill(pid, "SIGKILL");
          } catch (err) {
            if ((err as NodeJS.ErrnoException).code !== "ESRCH") {
              throw fileError("cgroup", `kill process ${String(pid)} of group "${path}"`, err);
            }
          }
        }
        await clock.sleep(CHECK_MS, signal);
      }
    },
    async remove(path) {
      assertCgroupPath(path);
      for (const tree of trees.roots) await removeIn(`${tree}${path}`, path);
    },
  };
}
