import { mkdir } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { findTyped, listTyped, type State } from "@talos-ts/cosi";
import { runTool } from "@talos-ts/host";
import type { Mounts } from "@talos-ts/linux";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { DiscoveredVolume, SystemDisk } from "@talos-ts/machinery/resources/block";
import type { BootLoader } from "../boot-loader.ts";
import { chooseEntry, isBad, keepEntry, readEntries, type BootEntry } from "./boot-entries.ts";
import { installVersion } from "./install-version.ts";
import { readBootedEntry } from "./loader-variables.ts";

export interface DiskBootLoaderOptions {
  readonly state: State;
  readonly mounts: Pick<Mounts, "mount" | "unmount">;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
  /** Makes an empty FAT file system. @default with the program of the image */
  readonly format?: (device: string) => Promise<void>;
}

interface Partition {
  readonly device: string;
  readonly formatted: boolean;
}

const makeFat = async (device: string): Promise<void> =>
  void (await runTool("/usr/sbin/mkfs.vfat", ["-F", "32", "-n", systemVolumes.efi, device]));

/** Mounted only while it is used: what is not mounted cannot be damaged by a power cut. */
const target = "/run/efi";
/** Of files of this system and nobody else. The last one lets chmod(2) pass, which FAT has no place for. */
const mountOptions = ["nodev", "nosuid", "noexec", "umask=0077", "fmask=0177", "quiet"] as const;

/** The boot loader on the EFI partition of the system disk. */
export function createDiskBootLoader({ state, mounts, root, format = makeFat }: DiskBootLoaderOptions): BootLoader {
  let busy: string | undefined;

  async function find(): Promise<Partition | undefined> {
    const disk = (await findTyped(state, SystemDisk, SystemDisk.id))?.spec.devPath;
    const found = (await listTyped(state, DiscoveredVolume)).find(
      ({ spec }) => spec.partitionLabel === systemVolumes.efi && spec.parentDevPath === disk,
    );
    return found === undefined ? undefined : { device: found.spec.devPath, formatted: found.spec.name === "vfat" };
  }

  /** Runs work on the mounted partition, by itself. */
  async function onPartition<T>(
    what: string,
    work: (partition: string) => Promise<T>,
    { newPartition, readOnly = false }: { readonly newPartition?: string; readonly readOnly?: boolean } = {},
  ): Promise<T> {
    if (busy !== undefined) throw isBusy(what, busy);
    busy = what;
    try {
      const found = newPartition === undefined ? await find() : { device: newPartition, formatted: false };
      if (found === undefined) throw noPartition(what);
      const { device: source } = found;
      if (!found.formatted) await format(source);
      const partition = `${root}${target}`;
      await mkdir(partition, { recursive: true, mode: 0o700 });
      const options = readOnly ? ["ro", ...mountOptions] : mountOptions;
      await mounts.mount({ source, target: partition, type: "vfat", options });
      try {
        return await work(partition);
      } finally {
        await mounts.unmount(partition);
      }
    } finally {
      busy = undefined;
    }
  }

  const booted = (): Promise<string | undefined> => readBootedEntry(root);

  return {
    booted,
    async entries() {
      const found = await find();
      if (found?.formatted !== true) return found === undefined ? undefined : [];
      return await onPartition("list versions", readEntries, { readOnly: true });
    },
    async install(assets, { tell, signal, newPartition }) {
      const running = await booted();
      const work = (partition: string): Promise<BootEntry> =>
        installVersion({
          partition,
          assets,
          tell,
          ...(running !== undefined && { running }),
          ...(signal !== undefined && { signal }),
        });
      return await onPartition(`install ${assets.manifest.version}`, work, {
        ...(newPartition !== undefined && { newPartition }),
      });
    },
    async rollBack() {
      const running = await booted();
      return await onPartition("roll back", async (partition) => {
        const other = otherThan(await readEntries(partition), running);
        await chooseEntry(partition, other);
        return other;
      });
    },
    async keep() {
      const running = await booted();
      if (running === undefined) return undefined;
      return await onPartition("end the trial of the new version", async (partition) => {
        const entry = (await readEntries(partition)).find(({ id }) => id === running);
        if (entry?.triesLeft === undefined) return undefined;
        await keepEntry(partition, entry);
        return entry;
      });
    },
  };
}

/** A machine that another way of booting started has no version to go back from. */
function otherThan(entries: readonly BootEntry[], running: string | undefined): BootEntry {
  const others = entries.filter(({ id }) => id !== running);
  const good = others.find((entry) => !isBad(entry));
  if (running !== undefined && good !== undefined) return good;
  const [bad] = others;
  const reason =
    running === undefined
      ? "it was not started by the boot loader on its disk"
      : bad === undefined
        ? "its disk has no other version"
        : `the other version on its disk, ${bad.version}, was started in vain`;
  throw new OsError({
    kind: "failed-precondition",
    code: "boot/no-other-version",
    message: `Cannot roll back this machine: ${reason}`,
    next: "talosctl upgrade --image <installer image of the wanted version>",
  });
}

function noPartition(what: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "boot/no-efi-partition",
    message: `Cannot ${what}: the system disk has no EFI partition for a boot loader`,
    next: "talosctl get discoveredvolumes; talosctl reset, so that the machine is installed anew",
  });
}

function isBusy(what: string, other: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "boot/busy",
    message: `Cannot ${what}: the machine is about to ${other}`,
    next: "talosctl dmesg --tail 20",
  });
}
