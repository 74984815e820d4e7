import { mkdir } from "node:fs/promises";
import { exists } from "@talos-ts/host";
import type { MountRequest, Mounts } from "@talos-ts/linux";

const quiet = ["nosuid", "nodev", "noexec"] as const;
const kernel = (type: string, target: string, ...options: string[]): MountRequest => ({
  source: type,
  target,
  type,
  options: [...quiet, ...options],
});

/** File systems of a machine with a kernel of its own, besides those that it was started with: /dev, /proc and /sys. */
const fileSystems: readonly MountRequest[] = [
  { source: "devpts", target: "/dev/pts", type: "devpts", options: ["nosuid", "noexec", "ptmxmode=000", "mode=620"] },
  kernel("tmpfs", "/dev/shm"),
  kernel("mqueue", "/dev/mqueue"),
  // Containers of the system run from below it, so programs may.
  { source: "tmpfs", target: "/run", type: "tmpfs", options: ["nosuid", "nodev", "mode=0755"] },
  { source: "tmpfs", target: "/system", type: "tmpfs", options: ["mode=0755"] },
  kernel("tmpfs", "/tmp", "mode=1777", "size=64m"),
  kernel("cgroup2", "/sys/fs/cgroup", "nsdelegate"),
  kernel("bpf", "/sys/fs/bpf", "mode=0700"),
  kernel("securityfs", "/sys/kernel/security"),
  kernel("debugfs", "/sys/kernel/debug"),
  kernel("tracefs", "/sys/kernel/tracing"),
];

/** Variables of the firmware, on a machine whose firmware is UEFI: the kernel makes the folder only there. */
const variables = kernel("efivarfs", "/sys/firmware/efi/efivars");

/** Mounts them, and makes all mounts shared, so that the kubelet sees those of pods and the other way round. */
export async function mountFileSystems(
  mounts: Pick<Mounts, "mount" | "setPropagation">,
  isThere: (path: string) => Promise<boolean> = exists,
): Promise<void> {
  for (const request of fileSystems) {
    // Below /dev nothing is there yet; below /sys the kernel makes the folders itself.
    if (request.target.startsWith("/dev/")) await mkdir(request.target, { recursive: true });
    await mounts.mount(request);
  }
  if (await isThere(variables.target)) await mounts.mount(variables);
  await mounts.setPropagation("/", "shared", { recursive: true });
}
