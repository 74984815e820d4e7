import { basename } from "node:path";
import { OsError, type ErrorKind } from "@talos-ts/base";
import { findTyped, listTyped, type State } from "@talos-ts/cosi";
import {
  BlockDevice,
  Disk,
  VolumeStatus,
  type BlockDeviceSpec,
  type VolumeStatusSpec,
} from "@talos-ts/machinery/resources/block";

/** Checks that a caller can do without. */
export interface WipeChecks {
  readonly skipVolumeCheck: boolean;
  readonly skipSecondaryCheck: boolean;
}

/**
 * Checks that a block device may be wiped: it is a disk or a partition that can be written to, and neither a volume nor another
 * device is made of it.
 *
 * @throws OsError `wipe/not-found`, `wipe/unsupported`, `wipe/read-only`, `wipe/cdrom`, `wipe/in-use`
 */
export async function requireWipeable(state: State, name: string, checks: WipeChecks): Promise<BlockDeviceSpec> {
  const device = (await findTyped(state, BlockDevice, name))?.spec;
  if (device === undefined) throw refusal("not-found", "not-found", `blockdevice "${name}" not found`);
  if (device.type !== "disk" && device.type !== "partition") {
    const message = `blockdevice "${name}" is of unsupported type "${device.type}"`;
    throw refusal("invalid-argument", "unsupported", message);
  }
  await requireWritable(state, name, device);
  if (!checks.skipSecondaryCheck) await requireNoPrimary(state, name, device);
  if (!checks.skipVolumeCheck) await requireNoVolume(state, name, device);
  return device;
}

async function requireWritable(state: State, name: string, { parent }: BlockDeviceSpec): Promise<void> {
  const disk = (await findTyped(state, Disk, parent === "" ? name : parent))?.spec;
  if (disk === undefined) throw refusal("not-found", "not-found", `failed to get disk (or parent) for "${name}"`);
  if (disk.readonly) throw refusal("failed-precondition", "read-only", `blockdevice "${name}" is read-only`);
  if (disk.cdrom) throw refusal("failed-precondition", "cdrom", `blockdevice "${name}" is a CD-ROM`);
}

/** A disk is used by whatever is made of it or of one of its partitions; a partition only by what is made of it. */
async function requireNoPrimary(state: State, name: string, { type }: BlockDeviceSpec): Promise<void> {
  if (type === "disk") {
    const user = (await listTyped(state, Disk)).find(({ spec }) => spec.secondaryDisks.includes(name));
    if (user !== undefined) throw inUse(name, "disk", user.metadata.id);
    return;
  }
  const user = (await listTyped(state, BlockDevice)).find(({ spec }) => spec.secondaries.includes(name));
  if (user !== undefined) throw inUse(name, "blockdevice", user.metadata.id);
}

async function requireNoVolume(state: State, name: string, { parent }: BlockDeviceSpec): Promise<void> {
  for (const { metadata, spec } of await listTyped(state, VolumeStatus)) {
    for (const device of [name, parent]) {
      if (device !== "" && placesOf(spec).includes(device)) throw inUse(device, "volume", metadata.id);
    }
    if (basename(spec.parentLocation) === name) throw inUse(name, "volume", metadata.id);
  }
}

function placesOf({ location, mountLocation }: VolumeStatusSpec): readonly string[] {
  return [basename(location), basename(mountLocation)];
}

function inUse(name: string, kind: string, user: string): OsError {
  return refusal("failed-precondition", "in-use", `blockdevice "${name}" is in use by ${kind} "${user}"`);
}

function refusal(kind: ErrorKind, condition: string, message: string): OsError {
  return new OsError({ kind, code: `wipe/${condition}`, message, next: "talosctl get blockdevices" });
}
