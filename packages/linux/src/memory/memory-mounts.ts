import { kernelError, type ErrnoName } from "../ffi/errno.ts";
import { formatMountFlags, mountFlags, parseMountOptions } from "../mounts/mount-options.ts";
import type { MountInfo } from "../mounts/mountinfo.ts";
import type { Mounts, Propagation } from "../mounts/mounts.ts";
import { createMountTable, formatMountInfo, isBelow } from "./mount-table.ts";
import type { MemoryPaths } from "./paths.ts";

/** File systems this kernel knows, with their magic numbers. */
const fileSystems: Readonly<Record<string, bigint>> = {
  btrfs: 0x9123683en,
  cgroup: 0x27e0ebn,
  cgroup2: 0x63677270n,
  devpts: 0x1cd1n,
  devtmpfs: 0x01021994n,
  ext4: 0xef53n,
  iso9660: 0x9660n,
  nsfs: 0x6e736673n,
  overlay: 0x794c7630n,
  proc: 0x9fa0n,
  squashfs: 0x73717368n,
  sysfs: 0x62656572n,
  tmpfs: 0x01021994n,
  vfat: 0x4d44n,
  xfs: 0x58465342n,
};

const OWN_FLAGS = ~(mountFlags.MS_BIND | mountFlags.MS_REC | mountFlags.MS_REMOUNT);

export interface MemoryMounts extends Mounts {
  /** The tree as /proc/self/mountinfo shows it. */
  format(): string;
}

export function createMemoryMounts(paths: MemoryPaths): MemoryMounts {
  const table = createMountTable({
    device: "254:0",
    root: "/",
    target: "/",
    options: ["rw", "relatime"],
    propagation: ["private"],
    peerGroup: undefined,
    master: undefined,
    type: "ext4",
    source: "/dev/root",
    superOptions: ["rw"],
  });
  let devices = 0;
  let peerGroups = 0;
  const refuse = (action: string, errno: ErrnoName): never => {
    throw kernelError({ area: "mount", action, errno });
  };
  const mountAt = (target: string, action: string): MountInfo => table.at(target) ?? refuse(action, "EINVAL");
  const flagsOf = (options: readonly string[]): readonly string[] =>
    formatMountFlags((parseMountOptions(options).flags & OWN_FLAGS) | mountFlags.MS_RELATIME);

  return {
    format: () =>
      table
        .list()
        .map((mount) => `${formatMountInfo(mount)}\n`)
        .join(""),
    async mount({ source, target, type, options = [] }) {
      const action = `mount "${source}" on "${target}" as ${type}`;
      paths.require(target, "mount", action);
      if (!Object.hasOwn(fileSystems, type)) refuse(action, "ENODEV");
      const { flags, data } = parseMountOptions(options);
      table.add({
        device: `0:${String(++devices)}`,
        root: "/",
        target,
        options: flagsOf(options),
        propagation: ["private"],
        peerGroup: undefined,
        master: undefined,
        type,
        source,
        superOptions: [
          (flags & mountFlags.MS_RDONLY) === 0n ? "rw" : "ro",
          ...data.split(",").filter((each) => each !== ""),
        ],
      });
    },
    async unmount(target, { detach = false } = {}) {
      const action = `unmount "${target}"`;
      paths.require(target, "mount", action);
      const mount = mountAt(target, action);
      const below = table.below(mount);
      if (below.length > 0 && !detach) refuse(action, "EBUSY");
      table.remove([mount, ...below]);
    },
    async bind(source, target, { recursive = false, options = [] } = {}) {
      const action = `bind "${source}" to "${target}"`;
      paths.require(source, "mount", action);
      paths.require(target, "mount", action);
      const origin = table.covering(source);
      if (origin.propagation.includes("unbindable")) refuse(action, "EINVAL");
      const copied = recursive ? table.below(origin).filter((mount) => isBelow(mount.target, source)) : [];
      const wanted = options.length === 0 ? origin.options : flagsOf(options);
      const root = source.slice(origin.target === "/" ? 0 : origin.target.length) || "/";
      table.add({ ...origin, target, options: wanted, root, propagation: ["private"], peerGroup: undefined });
      for (const mount of copied) table.add({ ...mount, target: `${target}${mount.target.slice(source.length)}` });
    },
    async remount(target, options, { bind = false } = {}) {
      const { id, superOptions } = mountAt(target, `remount "${target}" with "${options.join(",")}"`);
      const shown = flagsOf(options);
      table.change(id, {
        options: shown,
        ...(bind ? {} : { superOptions: [shown[0] ?? "rw", ...superOptions.slice(1)] }),
      });
    },
    async move(source, target) {
      const action = `move mount "${source}" to "${target}"`;
      paths.require(target, "mount", action);
      const mount = mountAt(source, action);
      const parentId = table.covering(target).id;
      for (const each of table.below(mount))
        table.change(each.id, { target: `${target}${each.target.slice(source.length)}` });
      table.change(mount.id, { target, parentId });
    },
    async setPropagation(target, propagation, { recursive = false } = {}) {
      const mount = mountAt(target, `make mount "${target}" ${propagation}`);
      for (const each of recursive ? [mount, ...table.below(mount)] : [mount]) {
        // A mount that shared with nobody has no master to follow.
        const kept: Propagation = propagation === "slave" && each.peerGroup === undefined ? "private" : propagation;
        table.change(each.id, {
          propagation: [kept],
          peerGroup: kept === "shared" ? (each.peerGroup ?? ++peerGroups) : undefined,
          master: kept === "slave" ? each.peerGroup : undefined,
        });
      }
    },
    async pivotRoot(newRoot, oldRoot) {
      const action = `pivot the root to "${newRoot}" with the old one at "${oldRoot}"`;
      paths.require(newRoot, "mount", action);
      paths.require(oldRoot, "mount", action);
      if (table.covering(newRoot).target === "/") refuse(action, "EBUSY");
      mountAt(newRoot, action);
      if (oldRoot !== newRoot && !isBelow(oldRoot, newRoot)) refuse(action, "EINVAL");
      const aside = oldRoot.slice(newRoot.length);
      for (const mount of table.list()) {
        const inside = mount.target === newRoot || isBelow(mount.target, newRoot);
        const target = inside
          ? mount.target.slice(newRoot.length)
          : `${aside}${mount.target === "/" ? "" : mount.target}`;
        table.change(mount.id, { target: target === "" ? "/" : target });
      }
    },
    list: async () => table.list(),
    async statfs(path) {
      paths.require(path, "statfs", `read the file system statistics of "${path}"`);
      const type = fileSystems[table.covering(path).type] ?? 0n;
      const blocks = 1n << 18n;
      return {
        type,
        blockSize: 4096n,
        blocks,
        blocksFree: blocks / 2n,
        blocksAvailable: blocks / 2n,
        files: blocks,
        filesFree: blocks / 2n,
      };
    },
  };
}
