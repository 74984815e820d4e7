import { readFile, statfs } from "node:fs/promises";
import { cString } from "../ffi/c-string.ts";
import { fileError, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { callOnThread } from "../ffi/thread.ts";
import { mountFlags, parseMountOptions } from "./mount-options.ts";
import { parseMountInfo, type MountInfo } from "./mountinfo.ts";
import type { Mounts, Propagation, UnmountOptions } from "./mounts.ts";

const MNT_FORCE = 1;
const MNT_DETACH = 2;
const UMOUNT_NOFOLLOW = 8;

/** File systems that live in memory: mounting and unmounting them never waits for a device. */
const memoryBacked: ReadonlySet<string> = new Set(
  "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue proc pstore ramfs securityfs selinuxfs sysfs tmpfs tracefs".split(
    " ",
  ),
);

const propagations: Readonly<Record<Propagation, bigint>> = {
  shared: mountFlags.MS_SHARED,
  slave: mountFlags.MS_SLAVE,
  private: mountFlags.MS_PRIVATE,
  unbindable: mountFlags.MS_UNBINDABLE,
};

interface RawMount {
  readonly action: string;
  readonly source: string;
  readonly target: string;
  readonly type?: string;
  readonly flags: bigint;
  readonly data?: string;
}

async function rawMount({ action, source, target, type, flags, data = "" }: RawMount): Promise<void> {
  const args = [
    cString(source),
    cString(target),
    type === undefined ? null : cString(type),
    flags,
    data === "" ? null : cString(data),
  ] as const;
  const details = { source, target, ...(type === undefined ? {} : { type }) };
  if (type === undefined || memoryBacked.has(type)) {
    if (libc().functions.mount(...args) < 0) {
      throw kernelError({ area: "mount", action, errno: libc().errno(), details });
    }
    return;
  }
  const { failed } = await callOnThread([{ name: "mount", arguments: args }]);
  if (failed !== undefined) throw kernelError({ area: "mount", action, errno: failed.errno, details });
}

async function list(): Promise<readonly MountInfo[]> {
  return parseMountInfo(await readFile("/proc/self/mountinfo", "utf8"));
}

async function unmount(target: string, { detach, force, noFollow = true }: UnmountOptions = {}): Promise<void> {
  const flags =
    (detach === true ? MNT_DETACH : 0) | (force === true ? MNT_FORCE : 0) | (noFollow ? UMOUNT_NOFOLLOW : 0);
  const args = [cString(target), flags] as const;
  const type = (await list().catch(() => [])).findLast((mount) => mount.target === target)?.type ?? "";
  const failure = { area: "mount", action: `unmount "${target}"`, details: { target } };
  if (memoryBacked.has(type)) {
    if (libc().functions.umount2(...args) < 0) throw kernelError({ ...failure, errno: libc().errno() });
    return;
  }
  const { failed } = await callOnThread([{ name: "umount2", arguments: args }]);
  if (failed !== undefined) throw kernelError({ ...failure, errno: failed.errno });
}

/** The mount calls of the running kernel. */
export function createLinuxMounts(): Mounts {
  return {
    mount({ source, target, type, options = [] }) {
      const { flags, data } = parseMountOptions(options);
      return rawMount({ action: `mount "${source}" on "${target}" as ${type}`, source, target, type, flags, data });
    },
    unmount,
    async bind(source, target, { recursive = false, options = [] } = {}) {
      const rec = recursive ? mountFlags.MS_REC : 0n;
      const action = `bind "${source}" to "${target}"`;
      await rawMount({ action, source, target, flags: mountFlags.MS_BIND | rec });
      const { flags } = parseMountOptions(options);
      if ((flags & ~(mountFlags.MS_BIND | mountFlags.MS_REC)) === 0n) return;
      await rawMount({ action, source, target, flags: flags | mountFlags.MS_BIND | mountFlags.MS_REMOUNT });
    },
    remount(target, options, { bind = false } = {}) {
      const { flags, data } = parseMountOptions(options);
      return rawMount({
        action: `remount "${target}" with "${options.join(",")}"`,
        source: "none",
        target,
        flags: flags | mountFlags.MS_REMOUNT | (bind ? mountFlags.MS_BIND : 0n),
        data,
      });
    },
    move(source, target) {
      return rawMount({ action: `move mount "${source}" to "${target}"`, source, target, flags: mountFlags.MS_MOVE });
    },
    setPropagation(target, propagation, { recursive = false } = {}) {
      const flags = propagations[propagation] | (recursive ? mountFlags.MS_REC : 0n);
      return rawMount({ action: `make mount "${target}" ${propagation}`, source: "none", target, flags });
    },
    async pivotRoot(newRoot, oldRoot) {
      if (libc().functions.pivot_root(cString(newRoot), cString(oldRoot)) < 0) {
        const action = `pivot the root to "${newRoot}" with the old one at "${oldRoot}"`;
        throw kernelError({ area: "mount", action, errno: libc().errno(), details: { newRoot, oldRoot } });
      }
    },
    list,
    async statfs(path) {
      const stats = await statfs(path, { bigint: true }).catch((err: unknown) => {
        throw fileError("statfs", `read the file system statistics of "${path}"`, err);
      });
      return {
        type: stats.type,
        blockSize: stats.bsize,
        blocks: stats.blocks,
        blocksFree: stats.bfree,
        blocksAvailable: stats.bavail,
        files: stats.files,
        filesFree: stats.ffree,
      };
    },
  };
}
