import type { BootAssets } from "./boot-loader/boot-assets.ts";
import type { BootEntry } from "./boot-loader/boot-entries.ts";

export interface InstallOptions {
  readonly tell: (message: string) => void;
  readonly signal?: AbortSignal;
  /** A new partition, which nobody has looked at yet. @default the EFI partition of the system disk */
  readonly newPartition?: string;
}

/** Boot loader on the system disk: which versions of the system it can start, and which is next. One caller at a time changes it. */
export interface BootLoader {
  /** Id of the entry that the machine was started from; `undefined` when the boot loader did not start it. */
  booted(): Promise<string | undefined>;
  /** Entries on the disk, the one that is started next first; `undefined` for a disk that has no place for them. */
  entries(): Promise<readonly BootEntry[] | undefined>;
  /**
   * Makes a version the one that is started next, and keeps the one that runs. A partition without a file system gets one.
   *
   * @throws OsError `boot/no-efi-partition`, `boot/busy`, `boot/damaged-asset`, `boot/no-space`
   */
  install(assets: BootAssets, options: InstallOptions): Promise<BootEntry>;
  /**
   * Makes the version beside the one that runs the one that is started next.
   *
   * @throws OsError `boot/no-efi-partition`, `boot/busy`, `boot/no-other-version`
   */
  rollBack(): Promise<BootEntry>;
  /**
   * Ends the trial of the version that runs: it is good.
   *
   * @returns the entry; `undefined` when there was no trial
   */
  keep(): Promise<BootEntry | undefined>;
}
