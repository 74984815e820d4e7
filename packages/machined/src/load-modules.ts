import { describeError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { runTool } from "@talos-ts/host";

/**
 * Modules that no device asks for, so udevd does not load them (container file systems, the filter of bridged packets whose
 * parameters are set while the machine boots, the file system of volumes, the power button), and those of a virtual machine, before it gets to them.
 */
const modules = [
  "virtio_blk",
  "virtio_net",
  "overlay",
  "br_netfilter",
  "nf_conntrack",
  "xfs",
  "vfat",
  "nls_ascii",
  "nls_cp437",
  "button",
  "evdev",
] as const;

/** Runs `modprobe` with these arguments. */
export type RunModprobe = (args: readonly string[]) => Promise<void>;

const modprobe: RunModprobe = async (args) => void (await runTool("/usr/sbin/modprobe", args));

/** Loads kernel modules; one that is missing is logged, as a kernel may have it built in or do without. */
export async function loadModules(logger: Logger, run: RunModprobe = modprobe): Promise<void> {
  for (const name of modules) {
    await run([name]).catch((err: unknown) =>
      logger.warn("cannot load kernel module", { name, error: describeError(err) }),
    );
  }
}
