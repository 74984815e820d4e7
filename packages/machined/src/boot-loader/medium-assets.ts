import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { listTyped, type State } from "@talos-ts/cosi";
import type { Mounts } from "@talos-ts/linux";
import { bootAssetPaths, bootMediumLabel } from "@talos-ts/machinery/boot-assets";
import { DiscoveredVolume } from "@talos-ts/machinery/resources/block";
import { readAssets, type BootAssets } from "./boot-assets.ts";

export interface MediumAssetsOptions {
  readonly state: State;
  readonly mounts: Pick<Mounts, "mount" | "unmount">;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

const target = "/run/boot-medium";

/**
 * Opens the boot assets of the medium that is in the machine, a disk with a file system of that label; `undefined` when there is none.
 *
 * @throws OsError `boot/no-assets`, `boot/bad-manifest`, `boot/other-architecture`
 */
export async function openMediumAssets({ state, mounts, root }: MediumAssetsOptions): Promise<BootAssets | undefined> {
  const volumes = await listTyped(state, DiscoveredVolume);
  const medium = volumes.find(({ spec }) => spec.name === "vfat" && spec.label === bootMediumLabel);
  if (medium === undefined) return undefined;
  const folder = `${root}${target}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { devPath: source } = medium.spec;
  await mounts.mount({ source, target: folder, type: "vfat", options: ["ro", "nodev", "nosuid", "noexec"] });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => mounts.unmount(folder));
  const { folder: below, manifest } = bootAssetPaths.medium;
  const assets = await readAssets(join(folder, below), manifest, `the boot medium at ${source}`);
  const owned = cleanup.move();
  return { ...assets, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}
