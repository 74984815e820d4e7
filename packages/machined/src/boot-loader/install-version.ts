import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readOptional, writeDurably } from "@talos-ts/host";
import { copyAsset, type BootAssets } from "./boot-assets.ts";
import {
  efiPaths,
  isBad,
  nextGeneration,
  readEntries,
  removeEntries,
  writeEntry,
  type BootEntry,
} from "./boot-entries.ts";

/** Starts that a new version has until the boot loader goes back to the one before. */
const tries = 3;

/** Nobody chooses on the console of a machine, and nobody changes the arguments of its kernel there. */
const settings = "timeout 0\neditor no\nauto-firmware no\n";

export interface InstallVersionOptions {
  /** Folder that the EFI partition is mounted at. */
  readonly partition: string;
  readonly assets: Pick<BootAssets, "manifest" | "path">;
  /** Entry that the machine was started from; it stays. @default the one that would be started next */
  readonly running?: string;
  readonly tell: (message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Makes a version the one that is started next, and keeps the one that runs beside it: whatever else is there is removed last, when the
 * new version is on the disk as a whole. A version that replaces another is on trial, the first one is not.
 *
 * @returns the new entry
 * @throws OsError `boot/damaged-asset`, `boot/no-space`
 */
export async function installVersion(options: InstallVersionOptions): Promise<BootEntry> {
  const { partition, assets, tell, signal } = options;
  const { version } = assets.manifest;
  for (const folder of [efiPaths.kernels, efiPaths.entries, "EFI/BOOT"])
    await mkdir(join(partition, folder), { recursive: true });
  const present = await readEntries(partition);
  const kept = present.find(({ id }) => id === options.running) ?? present.find((entry) => !isBad(entry));
  await removeLeftovers(partition, present);
  const others = present.filter((entry) => entry !== kept);
  const id = freeId(version, present);
  const kernel = `/${efiPaths.kernels}/${id}.efi`;
  tell(`writing ${version} to the EFI partition`);
  await copyAsset(assets, "uki", join(partition, kernel), signal);
  if (!(await hasLoader(partition, assets))) {
    tell("writing the boot loader");
    await copyAsset(assets, "loader", join(partition, efiPaths.loader), signal);
  }
  await writeDurably(join(partition, efiPaths.settings), settings, 0o600);
  const trial = kept === undefined ? {} : { triesLeft: tries };
  const entry: BootEntry = { id, version, kernel, generation: nextGeneration(present), ...trial };
  await writeEntry(partition, entry);
  if (others.length > 0) tell(`removing ${others.map((other) => other.version).join(", ")}`);
  await removeEntries(partition, others, [entry, ...(kept === undefined ? [] : [kept])]);
  tell(`${version} is started next${kept === undefined ? "" : `, ${kept.version} stays`}`);
  return entry;
}

/** Removes kernel images that no entry has: an installation that was cut off left them. */
async function removeLeftovers(partition: string, entries: readonly BootEntry[]): Promise<void> {
  const known = new Set(entries.map(({ kernel }) => kernel));
  for (const file of await readdir(join(partition, efiPaths.kernels))) {
    const path = `${efiPaths.kernels}/${file}`;
    if (!known.has(`/${path}`)) await rm(join(partition, path), { force: true });
  }
}

/** Chooses a name that no other entry has; FAT does not tell capitals from others. */
function freeId(version: string, entries: readonly BootEntry[]): string {
  const name = `talos-${version.toLowerCase().replaceAll("+", "_")}`;
  const taken = new Set(entries.map(({ id }) => id));
  for (let number = 0; ; number += 1) {
    const id = number === 0 ? name : `${name}~${String(number)}`;
    if (!taken.has(id)) return id;
  }
}

async function hasLoader(partition: string, { manifest }: Pick<BootAssets, "manifest">): Promise<boolean> {
  const present = await readOptional(join(partition, efiPaths.loader));
  if (present === undefined) return false;
  return createHash("sha256").update(present).digest("hex") === manifest.files.loader.sha256;
}
