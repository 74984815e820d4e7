import { isCode, OsError, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { readGptTable, withoutGptEntry, writeGptTable, type Linux, type OpenBlockDevice } from "@talos-ts/linux";
import { announceChange } from "./announce-change.ts";

/** Ways of wiping: what is on the device can be found no more, or can be read no more. */
export type WipeMethod = "fast" | "zeroes";

/** A device to wipe, by its name below `/dev`. */
export interface WipeTarget {
  readonly name: string;
  readonly method: WipeMethod;
  /** Disk that the device is a partition of, and its number there. */
  readonly partitionOf?: { readonly disk: string; readonly number: number };
  /** Partitions of the device, by number. */
  readonly partitions: readonly number[];
  /** Takes a partition out of the table too. */
  readonly drop: boolean;
}

/** Parts of the machine that devices are wiped with. */
export interface WipeMachine {
  readonly linux: Pick<Linux, "blockDevices" | "files" | "textFiles">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Bytes at both ends of a device in which file systems and partition tables keep what they are known by. */
const signatureBytes = 1024 ** 2;

/** A partition that somebody just looks at is asked for again, this often and after this time. */
const deleteRetries = 20;
const deleteRetryMs = 100;

/**
 * Wipes a device that nobody uses. The kernel forgets partitions that are gone afterwards, and looks at the device again.
 *
 * @throws OsError `wipe/in-use` when it is mounted, `gpt/none`, `block/<errno>`, `partition/<errno>`
 */
export async function wipeBlockDevice(machine: WipeMachine, target: WipeTarget, signal: AbortSignal): Promise<void> {
  const { linux, logger } = machine;
  const { name, method, partitionOf } = target;
  const disk = partitionOf?.disk ?? name;
  // Programs that look at devices hold this lock while they do, udevd among them.
  await using _lock = await linux.files.lock(`/dev/${disk}`, { signal });
  {
    await using device = await openUnused(machine, name);
    logger.info("wiping block device", { device: name, method });
    await methods[method](device);
    await device.sync();
    for (const number of target.partitions) await forgetPartition(machine, device, number);
  }
  if (partitionOf !== undefined && target.drop) {
    await using whole = await linux.blockDevices.open(`/dev/${disk}`);
    await writeGptTable(whole, withoutGptEntry(await readGptTable(whole), partitionOf.number));
    await forgetPartition(machine, whole, partitionOf.number);
    logger.info("dropped partition", { disk, number: partitionOf.number });
    return announceChange(machine, disk);
  }
  await announceChange(machine, name);
}

const methods: Readonly<Record<WipeMethod, (device: OpenBlockDevice) => Promise<void>>> = {
  async fast(device) {
    const { sizeBytes } = device;
    // Many devices cannot; then what was between the ends stays, and is not found.
    await device.discard({ startBytes: 0, sizeBytes }).catch(() => undefined);
    const size = Math.min(signatureBytes, sizeBytes);
    await device.zero({ startBytes: 0, sizeBytes: size });
    await device.zero({ startBytes: sizeBytes - size, sizeBytes: size });
  },
  zeroes: (device) => device.zero({ startBytes: 0, sizeBytes: device.sizeBytes }),
};

async function openUnused({ linux }: WipeMachine, name: string): Promise<OpenBlockDevice> {
  try {
    return await linux.blockDevices.open(`/dev/${name}`, { exclusive: true });
  } catch (cause) {
    if (!isCode(cause, "block/ebusy")) throw cause;
    throw new OsError({
      kind: "failed-precondition",
      code: "wipe/in-use",
      message: `block device "${name}" is mounted or in use`,
      next: "talosctl get mountstatuses",
      cause,
    });
  }
}

async function forgetPartition({ clock }: WipeMachine, disk: OpenBlockDevice, number: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return disk.deletePartition(number);
    } catch (err) {
      if (isCode(err, "partition/enxio")) return;
      if (!isCode(err, "partition/ebusy") || tries === deleteRetries) throw err;
      await clock.sleep(deleteRetryMs);
    }
  }
}
