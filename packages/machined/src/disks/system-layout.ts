import { OsError } from "@talos-ts/base";
import { gptUsableBytes, type GptPartition } from "@talos-ts/linux";
import { systemVolumes } from "@talos-ts/machinery/constants";

const mib = 1024 ** 2;
/** GUID of partitions with data of Linux. */
const linuxData = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";

/** GUID of partitions that firmware looks for boot loaders on. */
const efiSystem = "C12A7328-F81F-11D2-BA4B-00A0C93EC93B";

/** Partitions of a system disk in order; the last one takes what is left. Sizes in bytes. */
const partitions: readonly { readonly label: string; readonly sizeBytes: number; readonly type?: string }[] = [
  // Room for two versions of the system, and for a third one until one of them is removed.
  { label: systemVolumes.efi, sizeBytes: 2101 * mib, type: efiSystem },
  { label: systemVolumes.meta, sizeBytes: mib },
  { label: systemVolumes.state, sizeBytes: 100 * mib },
  { label: systemVolumes.ephemeral, sizeBytes: 0 },
];

const fixedBytes = partitions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** With less, nothing of Kubernetes fits. */
const leastEphemeralBytes = 1024 * mib;

/** Names the device of a partition, which counts from 1: a disk whose name ends in a digit has a letter between. */
export function partitionDevice(disk: string, number: number): string {
  return `${disk}${/\d$/.test(disk) ? "p" : ""}${String(number)}`;
}

/**
 * Lays the partitions of the system out on a disk.
 *
 * @throws OsError `install/disk-too-small`
 */
export function systemLayout(device: string, diskBytes: number): readonly GptPartition[] {
  const { start, end } = gptUsableBytes(diskBytes);
  let next = start;
  const laidOut = partitions.map(({ label, sizeBytes, type = linuxData }) => {
    const size = sizeBytes === 0 ? end - next : sizeBytes;
    const partition = { type, label, startBytes: next, sizeBytes: size };
    next += size;
    return partition;
  });
  if ((laidOut.at(-1)?.sizeBytes ?? 0) >= leastEphemeralBytes) return laidOut;
  throw new OsError({
    kind: "failed-precondition",
    code: "install/disk-too-small",
    message: `Cannot install on "${device}": expected at least ${String(start + fixedBytes + leastEphemeralBytes)} bytes, it has ${String(diskBytes)}`,
    next: "talosctl get disks --insecure",
  });
}
