import { describeError, OsError } from "@talos-ts/base";
import type { ControllerContext, Resource } from "@talos-ts/cosi";
import { diskSelector, volumeSelector } from "@talos-ts/machinery/resources/cel";
import {
  DiscoveredVolume,
  Disk,
  SystemDisk,
  VolumeStatus,
  type DiscoveredVolumeSpec,
  type DiskSpec,
  type VolumeConfigSpec,
} from "@talos-ts/machinery/resources/block";
import { createPartition, largestFreeBytes, type PartitionMachine } from "../../../disks/create-partition.ts";
import { glob } from "../../internal/glob.ts";

type PartitionSpec = VolumeConfigSpec["provisioning"]["partitionSpec"];

/** Label of volumes that the system itself needs. */
const systemLabel = "talos.dev/system-volume";

/** Makes partitions of volumes; what a disk is asked for is a whole number of MiB. */
export interface Provisioner {
  largestFreeBytes(disk: string, empty: boolean): Promise<number>;
  create(disk: string, empty: boolean, wish: PartitionSpec, signal: AbortSignal): Promise<boolean>;
}

/** Provisions on the disks of the machine. */
export function createProvisioner(machine: PartitionMachine): Provisioner {
  return {
    largestFreeBytes: (disk, empty) => largestFreeBytes(machine, disk, empty),
    create(disk, empty, wish, signal) {
      const { label, typeUUID: type } = wish;
      return createPartition(
        machine,
        { disk, empty, label, type, sizeFor: (free) => partitionBytes(wish, free) },
        signal,
      );
    },
  };
}

/** Size of a partition where this much is free; 0 when that is too little. */
export function partitionBytes(spec: PartitionSpec, freeBytes: number): number {
  const { minSize, maxSize, relativeMaxSize, negativeMaxSize } = spec;
  if (freeBytes < minSize) return 0;
  const given = relativeMaxSize === 0 ? maxSize : Math.floor((freeBytes * relativeMaxSize) / 100);
  const most = negativeMaxSize ? Math.max(0, freeBytes - given) : given;
  const size = most === 0 && !negativeMaxSize ? freeBytes : Math.min(most, freeBytes);
  return size < minSize ? 0 : size;
}

/** Reports whether the volumes of the system have their places: what they leave is for others. */
export async function systemIsPlaced(context: ControllerContext): Promise<boolean> {
  const system = (await context.list(VolumeStatus)).filter(({ metadata }) => systemLabel in metadata.labels);
  return system.length > 0 && system.every(({ spec }) => spec.phase === "ready");
}

/** Disks that can be written to and that the expression chooses. @throws OsError `volume/no-disk` */
export async function chosenDisks(
  context: ControllerContext,
  expression: string,
): Promise<readonly Resource<DiskSpec>[]> {
  const select = diskSelector(expression, { glob });
  const system = (await context.find(SystemDisk, SystemDisk.id))?.spec.diskID;
  const disks = (await context.list(Disk)).filter(
    ({ metadata, spec }) => !spec.readonly && select(spec, metadata.id === system),
  );
  if (disks.length > 0) return disks;
  throw noDisk("no disks matched selector for volume");
}

/** First volume that the expression chooses; it is asked only about those whose disk is known. */
export async function chosenVolume(
  context: ControllerContext,
  expression: string,
): Promise<DiscoveredVolumeSpec | undefined> {
  const select = volumeSelector(expression);
  for (const { metadata, spec } of await context.list(DiscoveredVolume)) {
    const disk = await context.find(Disk, spec.parent === "" ? metadata.id : spec.parent);
    if (disk !== undefined && select(spec, disk.spec)) return spec;
  }
  return undefined;
}

/**
 * Makes the partition of a volume on the first disk that has room for it.
 *
 * @throws OsError `volume/no-disk` when none has
 */
export async function provisionPartition(
  context: ControllerContext,
  { spec }: Resource<VolumeConfigSpec>,
  provisioner: Provisioner,
): Promise<void> {
  const { diskSelector: selector, partitionSpec } = spec.provisioning;
  const disks = await chosenDisks(context, selector.match.text);
  const refused = { space: 0, format: 0, other: 0 };
  for (const { metadata, spec: disk } of disks) {
    const content = (await context.find(DiscoveredVolume, metadata.id))?.spec.name;
    // A table of a disk with larger sectors is read and changed, but none is made.
    if (content === undefined || (content === "" && disk.sectorSize !== 512)) refused.other += 1;
    else if (content !== "" && content !== "gpt") refused.format += 1;
    else {
      try {
        const empty = content === "";
        const free = await provisioner.largestFreeBytes(metadata.id, empty);
        const fits = partitionBytes(partitionSpec, free) > 0;
        if (fits && (await provisioner.create(metadata.id, empty, partitionSpec, context.signal))) return;
        refused.space += 1;
      } catch (err) {
        context.logger.warn("cannot use a disk", { disk: metadata.id, error: describeError(err) });
        refused.other += 1;
      }
    }
  }
  const { space, format, other } = refused;
  throw noDisk(
    `no disks matched for volume (${String(disks.length)} matched selector): ${String(space)} have not enough space, ` +
      `${String(format)} have wrong format, ${String(other)} have other issues`,
  );
}

/** @param message Text of Talos. */
export function noDisk(message: string): OsError {
  return new OsError({ kind: "failed-precondition", code: "volume/no-disk", message, next: "talosctl get disks" });
}
