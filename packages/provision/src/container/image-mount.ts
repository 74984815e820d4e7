import { mkdir, readFile } from "node:fs/promises";
import { describeError, OsError } from "@talos-ts/base";
import { type Rootfs, unpackRootfs } from "@talos-ts/imager";
import { type Progress, runTool } from "@talos-ts/host";
import type { Mounts } from "@talos-ts/linux";

/**
 * Shows the image at a folder: mounted where the kernel can, unpacked and bound where it cannot (no loop devices, no
 * squashfs).
 */
export async function mountImage(
  mounts: Mounts,
  image: Pick<Rootfs, "squashfs" | "digest">,
  target: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o755 });
  const options = signal === undefined ? {} : { signal };
  try {
    if (!(await supportsSquashfs()))
      throw new OsError({ kind: "unimplemented", message: "The kernel does not support squashfs" });
    await runTool("mount", ["-t", "squashfs", "-o", "loop,ro", image.squashfs, target], options);
  } catch (err) {
    signal?.throwIfAborted();
    progress({ stage: "mount image", state: "step", detail: `unpacking instead: ${describeError(err)}` });
    await mounts.bind(await unpackRootfs(image, options, progress), target, { options: ["ro"] });
  }
}

async function supportsSquashfs(): Promise<boolean> {
  return /\bsquashfs$/m.test(await readFile("/proc/filesystems", "utf8"));
}

/** Unmounts everything at or below a folder, innermost first. */
export async function unmountBelow(mounts: Mounts, directory: string): Promise<void> {
  const targets = (await mounts.list())
    .map((mount) => mount.target)
    .filter((target) => target === directory || target.startsWith(`${directory}/`));
  for (const target of targets.reverse()) await mounts.unmount(target, { detach: true });
}
