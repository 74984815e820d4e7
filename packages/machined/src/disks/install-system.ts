import type { GptPartition } from "@talos-ts/linux";
import type { DiskSpec } from "@talos-ts/machinery/resources/block";
import { systemVolumes } from "@talos-ts/machinery/constants";
import type { BootLoader } from "../boot-loader.ts";
import type { BootAssets } from "../boot-loader/boot-assets.ts";
import { partitionDevice, systemLayout } from "./system-layout.ts";
import { writePartitions } from "./write-partitions.ts";

/** Writes a partition table to a disk. */
export type WritePartitions = (device: string, bytes: number, partitions: readonly GptPartition[]) => Promise<void>;

export interface InstallSystemOptions {
  readonly disk: Pick<DiskSpec, "devPath" | "size">;
  readonly bootLoader: Pick<BootLoader, "install">;
  /** What is installed; `undefined` for partitions alone. */
  readonly assets: BootAssets | undefined;
  readonly tell: (message: string) => void;
  /** @default to the disk */
  readonly write?: WritePartitions;
  readonly signal?: AbortSignal;
}

/**
 * Makes a disk the system disk: the partitions of the system, a boot loader and a version of the system on the first of them. Everything
 * that was on the disk is lost.
 *
 * @throws OsError `install/disk-too-small`
 */
export async function installSystem(options: InstallSystemOptions): Promise<void> {
  const { disk, bootLoader, assets, tell, write = writePartitions, signal } = options;
  const layout = systemLayout(disk.devPath, disk.size);
  tell(`writing partitions to ${disk.devPath}`);
  await write(disk.devPath, disk.size, layout);
  if (assets === undefined) return;
  const number = layout.findIndex(({ label }) => label === systemVolumes.efi) + 1;
  const newPartition = partitionDevice(disk.devPath, number);
  await bootLoader.install(assets, { tell, newPartition, ...(signal !== undefined && { signal }) });
}
