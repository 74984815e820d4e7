import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findTyped, listTyped, type State } from "@talos-ts/cosi";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { DiscoveredVolume, SystemDisk } from "@talos-ts/machinery/resources/block";
import { wipeDevice } from "../../disks/write-partitions.ts";
import type { Task } from "../../sequence.ts";

/** State and data of the machine: what a reset is there to forget. */
const volumes = ["/system/state", "/var"] as const;

/** Makes a device unrecognizable. */
export type WipeDevice = (device: string, sizeBytes: number) => Promise<void>;

export interface ResetVolumesOptions {
  readonly root: string;
  readonly state: State;
  readonly platform: { readonly mode: PlatformMode };
}

/** Empties the volumes of a container, whose mount points stay; wipes the system disk of a machine, or partitions of it. */
export function resetVolumes(machine: ResetVolumesOptions, wipe: WipeDevice = wipeDevice): Task {
  return machine.platform.mode === "container" ? emptyVolumes(machine) : wipeSystemDisk(machine, wipe);
}

function emptyVolumes(machine: ResetVolumesOptions): Task {
  return async ({ log }) => {
    for (const volume of volumes) {
      const path = `${machine.root}${volume}`;
      for (const entry of await readdir(path).catch(() => [])) {
        await rm(join(path, entry), { recursive: true, force: true, maxRetries: 3 }).catch((err: unknown) =>
          log(`cannot remove ${join(volume, entry)}: ${String(err)}`),
        );
      }
    }
  };
}

/** What is on the disk is found through partitions and their beginnings, so a disk without these has nothing. */
function wipeSystemDisk({ state }: ResetVolumesOptions, wipe: WipeDevice): Task {
  return async ({ log, request: { partitions = [] } }) => {
    const disk = (await findTyped(state, SystemDisk, SystemDisk.id))?.spec.devPath;
    if (disk === undefined) return log("nothing to wipe: this machine has no system disk");
    const found = (await listTyped(state, DiscoveredVolume)).map(({ spec }) => spec);
    const whole = partitions.length === 0;
    const parts = found.filter(
      ({ parentDevPath, partitionLabel }) => parentDevPath === disk && (whole || partitions.includes(partitionLabel)),
    );
    const devices = whole ? [...parts, ...found.filter(({ devPath }) => devPath === disk)] : parts;
    for (const { devPath, size, partitionLabel } of devices) {
      log(`wiping ${devPath}${partitionLabel === "" ? "" : ` (${partitionLabel})`}`);
      await wipe(devPath, size);
    }
  };
}
