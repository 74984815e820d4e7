import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "@talos-ts/host";
import { formatEntryName, parseEntryName, type EntryName } from "./entry-name.ts";

/** Version of the system that the boot loader can start. */
export interface BootEntry extends EntryName {
  /** Version of the system, as in `v1.13.9`. */
  readonly version: string;
  /** The boot loader takes the entry with the highest one, unless it is known to be bad. */
  readonly generation: number;
  /** Path of the kernel image on the partition, with a slash at its beginning. */
  readonly kernel: string;
}

/** Paths on the EFI partition. */
export const efiPaths = {
  /** Firmware starts this one from a disk that it knows nothing else about. */
  loader: "EFI/BOOT/BOOTX64.EFI",
  kernels: "EFI/talos",
  settings: "loader/loader.conf",
  entries: "loader/entries",
} as const;

/**
 * Lists the entries of the system on an EFI partition, the one that is started next first.
 *
 * @param partition Folder that it is mounted at.
 */
export async function readEntries(partition: string): Promise<readonly BootEntry[]> {
  const folder = join(partition, efiPaths.entries);
  const files = await readdir(folder).catch((err: NodeJS.ErrnoException) => {
    if (err.code === "ENOENT") return [];
    throw err;
  });
  const found = await Promise.all(
    files.map(async (file) => {
      const name = parseEntryName(file);
      const entry = name === undefined ? undefined : parseEntry(name, await readFile(join(folder, file), "utf8"));
      return entry === undefined ? [] : [entry];
    }),
  );
  return found.flat().toSorted(inBootOrder);
}

/** As the boot loader orders them: bad ones last, then by generation. */
function inBootOrder(a: BootEntry, b: BootEntry): number {
  return Number(isBad(a)) - Number(isBad(b)) || b.generation - a.generation;
}

/** Reports whether an entry was started as often as it may, and never became good. */
export function isBad({ triesLeft }: EntryName): boolean {
  return triesLeft === 0;
}

/** Writes an entry; one with the same name is replaced. */
export async function writeEntry(partition: string, entry: BootEntry): Promise<void> {
  await writeDurably(join(partition, efiPaths.entries, formatEntryName(entry)), encodeEntry(entry), 0o600);
}

/** Removes entries, and then their kernel images unless another entry has them too. */
export async function removeEntries(
  partition: string,
  removed: readonly BootEntry[],
  kept: readonly BootEntry[],
): Promise<void> {
  const needed = new Set(kept.map(({ kernel }) => kernel));
  for (const entry of removed) await rm(join(partition, efiPaths.entries, formatEntryName(entry)), { force: true });
  await syncFolder(join(partition, efiPaths.entries));
  for (const { kernel } of removed) if (!needed.has(kernel)) await rm(join(partition, kernel), { force: true });
  await syncFolder(join(partition, efiPaths.kernels));
}

/** Takes the counter of an entry away: it is good from now on. */
export async function keepEntry(partition: string, entry: BootEntry): Promise<void> {
  if (entry.triesLeft === undefined) return;
  const folder = join(partition, efiPaths.entries);
  await rename(join(folder, formatEntryName(entry)), join(folder, formatEntryName({ id: entry.id })));
  await syncFolder(folder);
}

/** Makes an entry the one that is started next: by the highest generation, so that nothing is left undecided at any moment. */
export async function chooseEntry(partition: string, entry: BootEntry): Promise<void> {
  const generation = nextGeneration(await readEntries(partition));
  await writeEntry(partition, { ...entry, generation });
}

export function nextGeneration(entries: readonly BootEntry[]): number {
  return Math.max(0, ...entries.map(({ generation }) => generation)) + 1;
}

/**
 * The format of the Boot Loader Specification. The version is the generation: the boot loader orders by it, and what was installed last
 * is to be started first, be it an older version or not.
 */
function encodeEntry({ version, generation, kernel }: BootEntry): string {
  return `title Talos (${version})\nsort-key talos\nversion ${String(generation)}\nlinux ${kernel}\n`;
}

function parseEntry(name: EntryName, text: string): BootEntry | undefined {
  const field = (key: string): string => new RegExp(`^${key}\\s+(.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
  const version = /^Talos \((.+)\)$/.exec(field("title"))?.[1];
  const generation = Number(field("version"));
  const kernel = field("linux");
  if (version === undefined || !Number.isSafeInteger(generation) || !kernel.startsWith("/")) return undefined;
  return { ...name, version, generation, kernel };
}
