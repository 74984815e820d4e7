import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isCode, systemClock } from "@talos-ts/base";
import { cached, cacheDirectory, cacheKey, lockFile, silent, type Cached, type Progress } from "@talos-ts/host";
import { currentArchitecture } from "../architecture.ts";
import { withFreshPins } from "../packages/fresh-pins.ts";
import { catalog, imageNames, programLayers, type ImageName, type LayerName } from "./catalog.ts";
import { debianLayers } from "./debian-layers.ts";
import { extractKubectl } from "./extract-kubectl.ts";
import { openProgramBuilder } from "./program-builder.ts";
import { makeProgramLayers } from "./program-layers.ts";
import type { ProcessConfig } from "./image-config.ts";
import { pruneLayouts } from "./prune-layouts.ts";
import { verifyLayout } from "./verify-layout.ts";
import { writeLayout, type LayoutImage, type StoredLayer } from "./write-layout.ts";

export interface BuildImagesOptions {
  /** Reference of every image, with the tag of the version it is built from. */
  readonly references: Readonly<Record<ImageName, string>>;
  /** With its `v`. @default the pinned version */
  readonly kubernetes?: string;
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
  /** Layouts that clusters take images from: old ones that are not among them are removed. @default none are removed */
  readonly inUse?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface BuiltImages {
  /** Folder with an OCI image layout; does not change once it exists. */
  readonly layout: string;
  /** The program `kubectl` of the same version. */
  readonly kubectl: string;
  /** True when the layout was there already. */
  readonly cached: boolean;
}

const lookAgainMs = 500;

/** One process at a time builds images; the others wait and say so. @param path The lock file. */
export function lockImages(path: string, progress: Progress, signal?: AbortSignal): ReturnType<typeof lockFile> {
  return lockFile(path, async (holder) => {
    progress({ stage: "wait", state: "step", detail: `process ${String(holder)} is building container images` });
    await systemClock.sleep(lookAgainMs, signal);
  });
}

/**
 * Builds the images of a cluster from pinned Go modules and Debian packages, or finds those that were built from the same
 * parts. Every layer is kept as soon as it is whole: an interrupted build goes on with the next one.
 *
 * @throws OsError `image/no-space`, `image/module-refused`, `image/module-hash`, `image/no-proxy`.
 */
export async function buildImages(options: BuildImagesOptions, progress: Progress = silent): Promise<BuiltImages> {
  const cacheRoot = options.cacheRoot ?? cacheDirectory();
  await using _lock = await lockImages(join(cacheRoot, "images.lock"), progress, options.signal);
  const { images, kubectl } = await baseImages({ ...options, cacheRoot }, progress);
  const layout = await publishLayout(images, cacheRoot, progress);
  if (options.inUse !== undefined) {
    const removed = await pruneLayouts({ cacheRoot, inUse: options.inUse, now: Date.now() });
    const detail = `removed ${String(removed.length)} that were not used for a while`;
    if (removed.length > 0) progress({ stage: "old images", state: "step", detail });
  }
  return { layout: layout.path, kubectl, cached: layout.hit };
}

export interface BaseImages {
  readonly images: readonly LayoutImage[];
  readonly layers: Readonly<Record<LayerName, StoredLayer>>;
  readonly kubectl: string;
}

/** Makes the layers of all images of a cluster. Whoever calls it has the lock of image builds. */
export async function baseImages(
  options: BuildImagesOptions & { readonly cacheRoot: string },
  progress: Progress,
): Promise<BaseImages> {
  const { cacheRoot, references } = options;
  const rest = options.signal === undefined ? {} : { signal: options.signal };
  const below = await withFreshPins(
    false,
    (refresh) => debianLayers({ cacheRoot, refresh, ...rest }, progress),
    progress,
  );
  const kubernetes = options.kubernetes === undefined ? {} : { kubernetes: options.kubernetes };
  const modules = ["images", "flannel-cni"] as const;
  const builder = await openProgramBuilder(
    { cacheRoot, name: "images-work", modules, ...kubernetes, ...rest },
    progress,
  );
  const programs = await makeProgramLayers({ cacheRoot, builder, layers: programLayers, ...rest }, progress);
  await builder.remove();
  const layers = { ...below, ...programs };
  const images = imageNames.map((name): LayoutImage => {
    const { process, layers: parts } = catalog[name];
    return layoutImage(
      name,
      references[name],
      process,
      parts.map((layer) => layers[layer]),
    );
  });
  return { images, layers, kubectl: await extractKubectl(layers.kubernetes, cacheRoot, progress) };
}

/** An image with the labels that all have. */
export function layoutImage(
  title: string,
  reference: string,
  process: ProcessConfig,
  layers: readonly StoredLayer[],
): LayoutImage {
  const version = reference.slice(reference.lastIndexOf(":") + 1);
  const labels = { "org.opencontainers.image.title": title, "org.opencontainers.image.version": version };
  return { reference, process, labels, layers };
}

/** Puts the layout into the cache; one that is there and damaged is replaced. */
export async function publishLayout(
  images: readonly LayoutImage[],
  cacheRoot: string,
  progress: Progress,
): Promise<Cached> {
  const key = cacheKey(
    JSON.stringify(images.map(({ layers: parts, ...image }) => [image, parts.map((p) => p.digest)])),
  );
  const make = (): Promise<Cached> =>
    cached(cacheRoot, "images", key, (scratch) => writeLayout(scratch, images, currentArchitecture().debian));
  const made = await make();
  try {
    await verifyLayout(made.path);
    // The time of its last use decides how long it is kept.
    await utimes(made.path, new Date(), new Date());
    return made;
  } catch (err) {
    if (!isCode(err, "image/damaged-layout")) throw err;
    progress({ stage: "check images", state: "step", detail: `no longer whole, writing them again: ${err.message}` });
    await rm(made.path, { recursive: true, force: true });
    const again = await make();
    await verifyLayout(again.path);
    return again;
  }
}
