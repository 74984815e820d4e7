import { chmod, mkdir } from "node:fs/promises";
import type { Linux } from "@talos-ts/linux";
import { searchPath } from "./services/environment.ts";

/** Directories everything else relies on, with the rights they must have. */
const directories: Readonly<Record<string, number>> = {
  "/system/etc": 0o700,
  "/system/var": 0o700,
  "/system/state": 0o700,
  "/system/run": 0o751,
  "/system/run/containerd": 0o711,
  "/run/containerd": 0o711,
};

/** Control groups of the parts of the system; services make their own below. */
const cgroups = ["/init", "/system", "/system/runtime", "/podruntime", "/podruntime/runtime"] as const;

/** What happens before anything can be asked or watched. */
export async function prepareMachine(linux: Linux, log: (message: string) => void): Promise<void> {
  process.env["PATH"] = searchPath;
  process.umask(0o022);
  for (const [path, mode] of Object.entries(directories)) {
    await mkdir(path, { recursive: true, mode });
    // `mkdir` subtracts the umask and leaves what is there alone.
    await chmod(path, mode);
  }
  const groups = await linux.cgroups();
  for (const path of cgroups) await groups.create(path);
  await groups.attach("/init", process.pid).catch((err: unknown) => log(`cannot move to cgroup /init: ${String(err)}`));
}
