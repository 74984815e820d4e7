import { OsError } from "@talos-ts/base";
import { asType, findTyped, listTyped, pointerTo, type State } from "@talos-ts/cosi";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { Disk, SystemDisk, VolumeStatus, type DiskSpec } from "@talos-ts/machinery/resources/block";
import type { GptPartition } from "@talos-ts/linux";
import type { ConfigStore } from "../../config-store.ts";
import { systemLayout } from "../../disks/system-layout.ts";
import { writePartitions } from "../../disks/write-partitions.ts";
import type { Task } from "../../sequence.ts";

/** Writes a partition table to a disk. */
export type WritePartitions = (device: string, bytes: number, partitions: readonly GptPartition[]) => Promise<void>;

/**
 * Gives a machine that has no system disk one: the partitions of the system on the disk that the configuration names. Kernel and
 * root file system stay where the machine was started from.
 *
 * @throws OsError `install/no-disk`, `install/disk-too-small`
 */
export function install(
  { state, config }: { readonly state: State; readonly config: ConfigStore },
  write: WritePartitions = writePartitions,
): Task {
  return async ({ signal, log }) => {
    const present = await findTyped(state, SystemDisk, SystemDisk.id);
    if (present !== undefined) return log(`installed already on ${present.spec.devPath}`);
    const wanted = (await config.current())?.machine?.install?.disk ?? "";
    const disks = (await listTyped(state, Disk)).map(({ spec }) => spec);
    const disk = disks.find(({ devPath }) => devPath === wanted);
    if (disk === undefined || disk.readonly) throw noDisk(wanted, disks);
    log(`installing on ${disk.devPath}`);
    await write(disk.devPath, disk.size, systemLayout(disk.devPath, disk.size));
    await state.watchFor(
      pointerTo(VolumeStatus, systemVolumes.state),
      { test: (resource) => asType(VolumeStatus, resource).spec.phase === "ready" },
      signal,
    );
  };
}

function noDisk(wanted: string, disks: readonly DiskSpec[]): OsError {
  const usable = disks
    .filter(({ readonly }) => !readonly)
    .map(({ devPath, prettySize }) => `${devPath} (${prettySize})`);
  return new OsError({
    kind: "failed-precondition",
    code: "install/no-disk",
    message: `Cannot install: expected machine.install.disk to name a disk of this machine that can be written to, got "${wanted}"; there are ${usable.join(", ") || "none"}`,
    next: "talosctl get disks",
  });
}
