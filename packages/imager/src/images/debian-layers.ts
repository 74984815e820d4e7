import { cacheKey, type Progress } from "@talos-ts/host";
import { currentArchitecture } from "../architecture.ts";
import { alternativeLinks } from "../rootfs/image-contents.ts";
import { openPackages } from "./extracted-packages.ts";
import { cachedLayer } from "./layer-cache.ts";
import { staticFiles } from "./static-files.ts";
import { readCertificates, toolEntries } from "./tools-tree.ts";
import * as contents from "./tools-contents.ts";
import { layerCompression } from "./write-layer.ts";
import type { StoredLayer } from "./write-layout.ts";

export interface DebianLayersOptions {
  readonly cacheRoot: string;
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/** The layers that come from Debian packages: what every image has, and the tools that some need. */
export async function debianLayers(
  options: DebianLayersOptions,
  progress: Progress,
): Promise<{ readonly static: StoredLayer; readonly tools: StoredLayer }> {
  const { toolPackages: roots, unwantedPackages: unwanted } = contents;
  await using packages = await openPackages({ ...options, roots, unwanted }, progress);
  const key = cacheKey(JSON.stringify([contents, alternativeLinks, layerCompression]), packages.key);
  const { cacheRoot, signal } = options;
  const cache = { cacheRoot, ...(signal !== undefined && { signal }) };
  const statics = await cachedLayer(
    { ...cache, name: "static", key: `static-${key}` },
    async () => staticFiles(await readCertificates(await packages.folder())),
    progress,
  );
  const selection = { ...contents, links: alternativeLinks };
  const tools = await cachedLayer(
    { ...cache, name: "tools", key: `tools-${key}` },
    async () => toolEntries(await packages.folder(), packages.names, selection, currentArchitecture()),
    progress,
  );
  return { static: statics, tools };
}
