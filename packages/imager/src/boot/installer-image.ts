import { rm, utimes } from "node:fs/promises";
import { cached, cacheDirectory, cacheKey, inStage, keepNewest, silent, type Progress } from "@talos-ts/host";
import { bootAssetPaths, encodeManifest } from "@talos-ts/machinery/boot-assets";
import { currentArchitecture } from "../architecture.ts";
import { layoutImage } from "../images/build-images.ts";
import type { TarEntry } from "../images/tar-entry.ts";
import { writeLayer } from "../images/write-layer.ts";
import { writeLayout } from "../images/write-layout.ts";
import { describeAssets, type BootImage } from "./boot-image.ts";

/** Names of the files in the image. */
const names = { uki: "vmlinuz.efi", loader: "systemd-boot.efi" } as const;

/** Layouts that stay; not among those of clusters, which take much longer to make. */
const keptLayouts = 3;

export interface InstallerImageOptions {
  /** Whole reference of the image, as in `ghcr.io/siderolabs/installer:v1.13.9`. */
  readonly reference: string;
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
  readonly signal?: AbortSignal;
}

/**
 * Makes a container image that machines are installed and upgraded from: boot assets and their manifest, and no program, as the machine
 * that runs does the work.
 *
 * @returns folder with an OCI image layout
 */
export async function buildInstallerImage(
  image: Pick<BootImage, "uki" | "loader" | "version">,
  { reference, cacheRoot = cacheDirectory(), signal }: InstallerImageOptions,
  progress: Progress = silent,
): Promise<string> {
  const architecture = currentArchitecture().debian;
  const { folder, manifest: manifestName } = bootAssetPaths.image(architecture);
  const manifest = encodeManifest(await describeAssets(image, names));
  const entries: readonly TarEntry[] = [
    { type: "file", path: `${folder}/${names.uki}`, mode: 0o644, content: image.uki },
    { type: "file", path: `${folder}/${names.loader}`, mode: 0o644, content: image.loader },
    { type: "file", path: `${folder}/${manifestName}`, mode: 0o644, content: Buffer.from(manifest) },
  ];
  const made = await cached(cacheRoot, "installers", cacheKey(manifest, reference), (scratch) =>
    inStage(progress, "pack installer image", async () => {
      const file = `${scratch}.layer`;
      try {
        const layer = await writeLayer(entries, file, signal === undefined ? {} : { signal });
        const packed = layoutImage("installer", reference, { Entrypoint: [] }, [{ ...layer, file }]);
        await writeLayout(scratch, [packed], architecture);
      } finally {
        await rm(file, { force: true });
      }
    }),
  );
  await utimes(made.path, new Date(), new Date());
  await keepNewest(cacheRoot, "installers", keptLayouts, [""]);
  return made.path;
}
