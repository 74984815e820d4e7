import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { attachLoopDevice, createLinuxMounts, insertModule, switchRoot } from "@talos-ts/linux";

/** Files of the initramfs, as the image builder names them. */
const files = { modules: "/modules.list", rootfs: "/rootfs.squashfs", modulesImage: "/modules.squashfs" } as const;

/** File systems of the kernel that move into the new root. */
const kernelFileSystems = [
  { type: "devtmpfs", target: "/dev", options: ["nosuid", "mode=0755"] },
  { type: "proc", target: "/proc", options: ["nosuid", "noexec", "nodev"] },
  { type: "sysfs", target: "/sys", options: ["nosuid", "noexec", "nodev"] },
] as const;

const newRoot = "/root";
const mounts = createLinuxMounts();

/** Mounts the root file system that the initramfs carries, and becomes the init in it. Never returns. */
async function main(): Promise<void> {
  for (const { type, target, options } of kernelFileSystems) {
    await mounts.mount({ source: type, target, type, options });
  }
  for (const path of (await readFile(files.modules, "utf8")).split("\n")) if (path !== "") insertModule(path);
  await mountImage(files.rootfs, newRoot);
  await mountImage(files.modulesImage, join(newRoot, "usr/lib/modules"));
  for (const { target } of kernelFileSystems) await mounts.move(target, join(newRoot, target));
  // The images stay readable through their loop devices; the memory of everything else is free after execve(2).
  for (const name of await readdir("/")) {
    if (name !== newRoot.slice(1)) await rm(`/${name}`, { recursive: true, force: true });
  }
  await switchRoot(newRoot);
  process.execve?.("/sbin/init", ["/sbin/init"], process.env);
}

async function mountImage(file: string, target: string): Promise<void> {
  await mounts.mount({ source: attachLoopDevice(file), target, type: "squashfs", options: ["ro", "nodev"] });
}

await main();
