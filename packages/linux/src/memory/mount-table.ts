import type { MountInfo } from "../mounts/mountinfo.ts";

/** Escapes a field the way the kernel does, so that the text can be parsed again. */
function escape(text: string): string {
  return text.replaceAll(/[ \t\n\\]/g, (char) => `\\${(char.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`);
}

/** A line of mountinfo. */
export function formatMountInfo(mount: MountInfo): string {
  const tags = [
    mount.peerGroup === undefined ? [] : [`shared:${String(mount.peerGroup)}`],
    mount.master === undefined ? [] : [`master:${String(mount.master)}`],
    mount.propagation.includes("unbindable") ? ["unbindable"] : [],
  ].flat();
  return [
    mount.id,
    mount.parentId,
    mount.device,
    escape(mount.root),
    escape(mount.target),
    mount.options.join(","),
    ...tags,
    "-",
    mount.type,
    escape(mount.source),
    mount.superOptions.join(","),
  ].join(" ");
}

export function isBelow(path: string, folder: string): boolean {
  return folder === "/" ? path !== "/" : path.startsWith(`${folder}/`);
}

/** Mounts in the order they were made; the last one at a place is the one that is seen. */
export interface MountTable {
  list(): readonly MountInfo[];
  /** The mount a path is in. */
  covering(path: string): MountInfo;
  at(target: string): MountInfo | undefined;
  /** The mounts on and below this one. */
  below(mount: MountInfo): readonly MountInfo[];
  add(mount: Omit<MountInfo, "id" | "parentId">): void;
  remove(mounts: readonly MountInfo[]): void;
  change(id: number, change: Partial<MountInfo>): void;
}

export function createMountTable(root: Omit<MountInfo, "id" | "parentId">): MountTable {
  let nextId = 1;
  let mounts: MountInfo[] = [{ ...root, id: nextId++, parentId: 0 }];

  const covering = (path: string): MountInfo =>
    mounts.reduce(
      (best, mount) =>
        (mount.target === path || isBelow(path, mount.target)) && mount.target.length >= best.target.length
          ? mount
          : best,
      mounts[0] as MountInfo,
    );
  const below = (mount: MountInfo): readonly MountInfo[] =>
    mounts.flatMap((each) => (each.parentId === mount.id ? [each].concat(below(each)) : []));

  return {
    list: () => [...mounts],
    covering,
    below,
    at: (target) => mounts.findLast((mount) => mount.target === target),
    add: (mount) => void mounts.push({ ...mount, id: nextId++, parentId: covering(mount.target).id }),
    remove(gone) {
      mounts = mounts.filter((mount) => !gone.includes(mount));
    },
    change(id, change) {
      mounts = mounts.map((mount) => (mount.id === id ? Object.assign({}, mount, change) : mount));
    },
  };
}
