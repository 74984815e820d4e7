import { chmod, mkdir } from "node:fs/promises";
import { describeError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { searchPath } from "./services/environment.ts";

/** Modes of the directories that services rely on. */
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

/** Creates directories and control groups, before any controller or service runs. */
export async function prepareMachine({
  linux,
  logger,
}: {
  readonly linux: Linux;
  readonly logger: Logger;
}): Promise<void> {
  process.env["PATH"] = searchPath;
  process.umask(0o022);
  for (const [path, mode] of Object.entries(directories)) {
    await mkdir(path, { recursive: true, mode });
    // `mkdir` subtracts the umask and leaves what is there alone.
    await chmod(path, mode);
  }
  const groups = await linux.cgroups();
  for (const path of cgroups) await groups.create(path);
  await groups
    .attach("/init", process.pid)
    .catch((err: unknown) => logger.warn("cannot move to cgroup /init", { error: describeError(err) }));
}
