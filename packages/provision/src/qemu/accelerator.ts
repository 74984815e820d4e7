import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";

/** Way in which QEMU runs the instructions of a guest: `kvm` on the processor itself, `tcg` by translating them. */
export type Accelerator = "kvm" | "tcg";

export interface AcceleratorOptions {
  /** @default {"/dev/kvm"} */
  readonly device?: string;
  /** @default {"/proc/cpuinfo"} */
  readonly processors?: string;
}

/**
 * Finds the fastest way that works. A device alone is not enough: some clouds have one that fails at the first instruction it
 * does not know, because the processor behind it offers no virtualization.
 */
export async function findAccelerator({
  device = "/dev/kvm",
  processors = "/proc/cpuinfo",
}: AcceleratorOptions = {}): Promise<Accelerator> {
  try {
    await access(device, constants.R_OK | constants.W_OK);
  } catch {
    return "tcg";
  }
  return /^flags\s*:.*\b(?:vmx|svm)\b/m.test(await readFile(processors, "utf8")) ? "kvm" : "tcg";
}
