import { rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheKey, lockFile, type Progress } from "@talos-ts/host";
import { systemClock } from "@talos-ts/base";
import { openAptWorkspace } from "../packages/apt-workspace.ts";
import { currentArchitecture } from "../architecture.ts";
import { extractPackages } from "../packages/extract-packages.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import { alternativeLinks, suite } from "../rootfs/image-contents.ts";
import { resolvePackages } from "../packages/resolve-packages.ts";
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

const lookAgainMs = 500;

/** The layers that come from Debian packages: what every image has, and the tools that some need. */
export async function debianLayers(
  options: DebianLayersOptions,
  progress: Progress,
): Promise<{ readonly static: StoredLayer; readonly tools: StoredLayer }> {
  const { cacheRoot } = options;
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  // The root file system is built with the same private apt, which works for one at a time.
  await using _lock = await lockFile(join(cacheRoot, "build.lock"), async () => {
    await systemClock.sleep(lookAgainMs, options.signal);
  });
  const architecture = currentArchitecture();
  const directory = join(cacheRoot, "apt", `${suite}-${architecture.debian}`);
  const apt = await openAptWorkspace({ directory, suite, architecture: architecture.debian, ...signal });
  const packages = await resolvePackages(
    {
      apt,
      cacheRoot,
      roots: contents.toolPackages,
      unwanted: contents.unwantedPackages,
      refresh: options.refresh ?? false,
    },
    progress,
  );
  const key = cacheKey(
    JSON.stringify([contents, alternativeLinks, layerCompression]),
    ...packages.map(({ sha256 }) => sha256),
  );
  const raw = join(cacheRoot, "layers", `.debian-${key}`);
  let extracted: Promise<void> | undefined;
  const extract = async (): Promise<void> => {
    await fetchPackages(apt, packages, progress);
    await extractPackages(apt, packages, raw, progress, options.signal);
  };
  try {
    const names = packages.map(({ name }) => name);
    const statics = await cachedLayer(
      { cacheRoot, name: "static", key: `static-${key}`, ...signal },
      async () => {
        await (extracted ??= extract());
        return staticFiles(await readCertificates(raw));
      },
      progress,
    );
    const tools = await cachedLayer(
      { cacheRoot, name: "tools", key: `tools-${key}`, ...signal },
      async () => {
        await (extracted ??= extract());
        return toolEntries(raw, names, architecture);
      },
      progress,
    );
    return { static: statics, tools };
  } finally {
    await rm(raw, { recursive: true, force: true });
  }
}
