import type { Logger } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { loadModules } from "./load-modules.ts";
import { mountFileSystems } from "./mount-file-systems.ts";

/** Open files that a process may have, as container runtimes and etcd want them. */
const openFiles = 1_048_576n;

/** Prepares a kernel that nobody but this machine uses: file systems, modules, limits. */
export async function takeOverKernel({
  linux,
  logger,
}: {
  readonly linux: Pick<Linux, "mounts" | "processes" | "system" | "sysctl">;
  readonly logger: Logger;
}): Promise<void> {
  await mountFileSystems(linux.mounts);
  // Ctrl-Alt-Del shall be a signal to this process, not a reset.
  linux.system.reboot("disable-ctrl-alt-delete");
  linux.processes.setLimit(process.pid, "openFiles", { soft: openFiles, hard: openFiles });
  await loadModules(logger);
}
