import type { Progress } from "@talos-ts/host";
import { packageFiles, type PackageFilesOptions } from "./package-files.ts";

/** Programs that start a kernel under UEFI, from systemd. */
export interface BootLoader {
  /** Chooses among the kernels on a disk (systemd-boot). */
  readonly loader: string;
  /** Starts the kernel that is packed together with it (systemd-stub). */
  readonly stub: string;
  /** Changes when the package changes. */
  readonly key: string;
}

const folder = "usr/lib/systemd/boot/efi";
const files = { loader: `${folder}/systemd-bootx64.efi`, stub: `${folder}/linuxx64.efi.stub` } as const;

/** Gives the boot loader, from Debian's package of systemd. */
export async function buildBootLoader(options: PackageFilesOptions, progress: Progress): Promise<BootLoader> {
  return await packageFiles("boot-loader", "systemd-boot-efi", files, options, progress);
}
