import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isCode, systemClock } from "@talos-ts/base";
import { cached, cacheDirectory, cacheKey, lockFile, silent, type Cached, type Progress } from "@talos-ts/host";
import { currentArchitecture } from "../architecture.ts";
import { withFreshPins } from "../packages/fresh-pins.ts";
import { catalog, imageNames, type ImageName, type LayerName } from "./catalog.ts";
import { debianLayers } from "./debian-layers.ts";
import { extractKubectl } from "./extract-kubectl.ts";
import { makeProgramLayers } from "./program-layers.ts";
import { verifyLayout } from "./verify-layout.ts";
import { writeLayout, type LayoutImage, type StoredLayer } from "./write-layout.ts";

export interface BuildImagesOptions {
  /** Reference of every image, with the tag of the version it is built from. */
  readonly references: Readonly<Record<ImageName, string>>;
  /** With its `v`. @default the pinned version */
  readonly kubernetes?: string;
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
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

/**
 * Builds the images of a cluster from pinned Go modules and Debian packages, or finds those that were built from the same
 * parts. Every layer is kept as soon as it is whole: an interrupted build goes on with the next one.
 *
 * @throws OsError `image/no-space`, `image/module-refused`, `image/module-hash`, `image/no-proxy`.
 */
export async function buildImages(options: BuildImagesOptions, progress: Progress = silent): Promise<BuiltImages> {
  const cacheRoot = options.cacheRoot ?? cacheDirectory();
  const rest = options.signal === undefined ? {} : { signal: options.signal };
  await using _lock = await lockFile(join(cacheRoot, "images.lock"), async (holder) => {
    progress({ stage: "wait", state: "step", detail: `process ${String(holder)} is building container images` });
    await systemClock.sleep(lookAgainMs, options.signal);
  });
  const below = await withFreshPins(
    false,
    (refresh) => debianLayers({ cacheRoot, refresh, ...rest }, progress),
    progress,
  );
  const kubernetes = options.kubernetes === undefined ? {} : { kubernetes: options.kubernetes };
  const layers = { ...below, ...(await makeProgramLayers({ cacheRoot, ...kubernetes, ...rest }, progress)) };
  const layout = await publish(options.references, layers, cacheRoot, progress);
  const kubectl = await extractKubectl(layers.kubernetes, cacheRoot, progress);
  return { layout: layout.path, kubectl, cached: layout.hit };
}

/** Puts the layout into the cache; one that is there and damaged is replaced. */
async function publish(
  references: Readonly<Record<ImageName, string>>,
  layers: Readonly<Record<LayerName, StoredLayer>>,
  cacheRoot: string,
  progress: Progress,
): Promise<Cached> {
  const images = imageNames.map((name): LayoutImage => {
    const reference = references[name];
    const version = reference.slice(reference.lastIndexOf(":") + 1);
    return {
      reference,
      process: catalog[name].process,
      labels: { "org.opencontainers.image.title": name, "org.opencontainers.image.version": version },
      layers: catalog[name].layers.map((layer) => layers[layer]),
    };
  });
  const key = cacheKey(
    JSON.stringify(images.map(({ layers: parts, ...image }) => [image, parts.map((p) => p.digest)])),
  );
  const make = (): Promise<Cached> =>
    cached(cacheRoot, "images", key, (scratch) => writeLayout(scratch, images, currentArchitecture().debian));
  const made = await make();
  try {
    await verifyLayout(made.path);
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
