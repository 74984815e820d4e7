import { createHash } from "node:crypto";
import { cacheDirectory, silent, type Progress } from "@talos-ts/host";
import { bootAssetPaths, encodeManifest } from "@talos-ts/machinery/boot-assets";
import { currentArchitecture } from "../architecture.ts";
import { layoutImage, publishLayout } from "../images/build-images.ts";
import { cachedLayer } from "../images/layer-cache.ts";
import type { TarEntry } from "../images/tar-entry.ts";
import { describeAssets, type BootImage } from "./boot-image.ts";

/** Names of the files in the image. */
const names = { uki: "vmlinuz.efi", loader: "systemd-boot.efi" } as const;

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
  const { folder, manifest: manifestName } = bootAssetPaths.image(currentArchitecture().debian);
  const manifest = encodeManifest(await describeAssets(image, names));
  const entries: readonly TarEntry[] = [
    { type: "file", path: `${folder}/${names.uki}`, mode: 0o644, content: image.uki },
    { type: "file", path: `${folder}/${names.loader}`, mode: 0o644, content: image.loader },
    { type: "file", path: `${folder}/${manifestName}`, mode: 0o644, content: Buffer.from(manifest) },
  ];
  const key = `installer-${createHash("sha256").update(manifest).digest("hex").slice(0, 32)}`;
  const layer = await cachedLayer(
    { cacheRoot, name: "installer", key, ...(signal !== undefined && { signal }) },
    async () => entries,
    progress,
  );
  const process = { Entrypoint: [] };
  const layout = await publishLayout([layoutImage("installer", reference, process, [layer])], cacheRoot, progress);
  return layout.path;
}
