import { createHash } from "node:crypto";
import { utimes } from "node:fs/promises";
import { cached, cacheDirectory, cacheKey, inStage, keepNewest, silent, type Progress } from "@talos-ts/host";
import { bootAssetPaths, bootMediumLabel, encodeManifest } from "@talos-ts/machinery/boot-assets";
import { imageEpoch } from "../rootfs/squash.ts";
import { describeAssets, type BootImage } from "./boot-image.ts";
import { writeFat } from "./write-fat.ts";

/** Paths on the medium. Firmware starts the first one from a medium that it knows nothing else about. */
const paths = { uki: "EFI/BOOT/BOOTX64.EFI", loader: "INSTALL/LOADER.EFI" } as const;

const keptMedia = 2;

export interface BootMediumOptions {
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
}

/**
 * Makes a disk that machines without a system start from, and install the system from: a raw image with a FAT file system, for a virtual
 * machine or a USB stick.
 *
 * @returns its path
 */
export async function buildBootMedium(
  image: Pick<BootImage, "uki" | "loader" | "version">,
  { cacheRoot = cacheDirectory() }: BootMediumOptions = {},
  progress: Progress = silent,
): Promise<string> {
  const manifest = encodeManifest(await describeAssets(image, paths));
  const key = cacheKey(manifest, bootMediumLabel);
  const medium = await cached(cacheRoot, "boot-medium", `${key}.img`, (scratch) =>
    inStage(progress, "write boot medium", () =>
      writeFat(
        scratch,
        [
          { path: paths.uki, content: image.uki },
          { path: paths.loader, content: image.loader },
          { path: bootAssetPaths.medium.manifest, content: Buffer.from(manifest) },
        ],
        {
          label: bootMediumLabel,
          volumeId: createHash("sha256").update(manifest).digest().readUInt32LE(0),
          time: imageEpoch,
        },
      ),
    ),
  );
  await utimes(medium.path, new Date(), new Date());
  await keepNewest(cacheRoot, "boot-medium", keptMedia, [".img"]);
  return medium.path;
}
