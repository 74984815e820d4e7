import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cached, cacheKey, type Progress } from "@talos-ts/host";
import type { AptWorkspace } from "../packages/apt-workspace.ts";
import { extractPackages } from "../packages/extract-packages.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import { resolvePackages } from "../packages/resolve-packages.ts";

export interface PackageFilesOptions {
  readonly apt: AptWorkspace;
  readonly cacheRoot: string;
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Takes single files out of a package, which is pinned and kept as those of the root file system are. What else the package needs is for
 * its maintainer scripts.
 *
 * @param name Folder of the cache.
 * @param files Paths in the package.
 * @returns where the files are, and a key that changes when one of them does
 */
export async function packageFiles<K extends string>(
  name: string,
  root: string,
  files: Readonly<Record<K, string>>,
  options: PackageFilesOptions,
  progress: Progress,
): Promise<Readonly<Record<K, string>> & { readonly key: string }> {
  const unwanted = [new RegExp(`^(?!${root}$)`)];
  const packages = await resolvePackages({ ...options, roots: [root], unwanted }, progress);
  const key = cacheKey(JSON.stringify(files), ...packages.map(({ sha256 }) => sha256));
  const { path } = await cached(options.cacheRoot, name, key, async (scratch) => {
    await fetchPackages(options.apt, packages, progress);
    const raw = `${scratch}.raw`;
    try {
      await extractPackages(options.apt, packages, raw, progress, options.signal);
      await mkdir(scratch);
      for (const [file, from] of Object.entries<string>(files)) await rename(join(raw, from), join(scratch, file));
    } finally {
      await rm(raw, { recursive: true, force: true });
    }
  });
  const found = Object.keys(files).map((file) => [file, join(path, file)]);
  return { ...(Object.fromEntries(found) as Record<K, string>), key };
}
