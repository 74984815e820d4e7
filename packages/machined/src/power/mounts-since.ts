import type { Mounts } from "@talos-ts/linux";

export interface MountsSince {
  /** Takes away every mount that was made since, the last one first; those that are in use go when they no longer are. */
  unmount(): Promise<void>;
}

/** Remembers what is mounted now. */
export async function mountsSince(mounts: Pick<Mounts, "list" | "unmount">): Promise<MountsSince> {
  const before = new Set((await mounts.list()).map(({ id }) => id));
  return {
    async unmount() {
      for (const { id, target } of (await mounts.list()).toReversed()) {
        // One below it may have gone with its parent.
        if (!before.has(id)) await mounts.unmount(target, { detach: true }).catch(() => undefined);
      }
    },
  };
}
