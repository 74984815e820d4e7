import { OsError } from "@talos-ts/base";
import type { TextFiles } from "../files/text-files.ts";
import type { MountInfo } from "../mounts/mountinfo.ts";

/** Describes where control groups are kept: one tree in version 2, one per controller (or pair of them) in version 1. */
export interface Hierarchies {
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
  /** Mount points, each once. */
  readonly roots: readonly string[];
  /** The tree of a controller; `undefined` if this kernel has it not. Empty name: any tree. */
  rootOf(controller: string): string | undefined;
}

/** Options of a version 1 mount that are no controllers. */
const notControllers = /^(?:rw|ro|none|xattr|clone_children|cpuset_v2_mode|favordynmods|name=.*|release_agent=.*)$/;

/**
 * Finds the hierarchies mounted at or below `root`.
 *
 * Version 2 is used where it is mounted at `root` itself; beside a version 1 it holds no useful controllers.
 */
export async function findHierarchies(
  mounts: readonly MountInfo[],
  files: TextFiles,
  root: string,
): Promise<Hierarchies> {
  // The last mount at a place is the one that is seen.
  const unified = mounts.findLast((mount) => mount.target === root && mount.type.startsWith("cgroup"));
  if (unified?.type === "cgroup2") {
    const controllers = (await files.read(`${root}/cgroup.controllers`)).split(/\s+/).filter((name) => name !== "");
    const rootOf = (controller: string): string | undefined =>
      controller === "" || controllers.includes(controller) ? root : undefined;
    return { version: 2, controllers, roots: [root], rootOf };
  }
  const trees = new Map<string, string>();
  const roots = new Set<string>();
  for (const mount of mounts) {
    if (mount.type !== "cgroup" || !mount.target.startsWith(`${root}/`)) continue;
    roots.add(mount.target);
    for (const option of mount.superOptions) {
      if (option.startsWith("name=")) trees.set(option, mount.target);
      else if (!notControllers.test(option)) trees.set(option, mount.target);
    }
  }
  if (roots.size === 0) {
    throw new OsError({
      kind: "failed-precondition",
      code: "cgroup/not-mounted",
      message: `Cannot find control groups: neither version is mounted at "${root}"`,
    });
  }
  return {
    version: 1,
    controllers: [...trees.keys()].filter((name) => !name.startsWith("name=")),
    roots: [...roots],
    rootOf: (controller) => (controller === "" ? [...roots][0] : trees.get(controller)),
  };
}
