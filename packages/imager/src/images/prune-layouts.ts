import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readOptional } from "@talos-ts/host";

export interface PruneOptions {
  readonly cacheRoot: string;
  /** Layouts that clusters take images from, whatever their age. */
  readonly inUse: readonly string[];
  /** Time in ms. */
  readonly now: number;
}

/** Layouts that stay, those that were used last. */
const kept = 3;
/** Time for which a layout stays after its last use: somebody may be about to use it. */
const restMs = 24 * 60 * 60 * 1000;

/**
 * Removes layouts that are not needed any more from the cache, and then the layers that no layout has. The time of a folder is
 * that of its last use.
 *
 * @returns names of the layouts that were removed
 */
export async function pruneLayouts({ cacheRoot, inUse, now }: PruneOptions): Promise<readonly string[]> {
  const layouts = await foldersByUse(join(cacheRoot, "images"));
  const old = layouts
    .slice(kept)
    .filter(({ path, usedMs }) => now - usedMs > restMs && !inUse.includes(path))
    .map(({ path }) => path);
  for (const path of old) await rm(path, { recursive: true, force: true });
  if (old.length > 0) await pruneLayers(cacheRoot, now);
  return old.map((path) => path.slice(path.lastIndexOf("/") + 1));
}

async function pruneLayers(cacheRoot: string, now: number): Promise<void> {
  const layouts = await foldersByUse(join(cacheRoot, "images"));
  const lists = await Promise.all(layouts.map(({ path }) => readdir(join(path, "blobs/sha256")).catch(() => [])));
  const needed = new Set(lists.flat());
  for (const { path, usedMs } of await foldersByUse(join(cacheRoot, "layers"))) {
    const text = (await readOptional(join(path, "layer.json")))?.toString() ?? "{}";
    const { digest = "" } = JSON.parse(text) as { readonly digest?: string };
    if (needed.has(digest.replace("sha256:", "")) || now - usedMs <= restMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

interface Folder {
  readonly path: string;
  readonly usedMs: number;
}

/** Folders of the cache, the one that was used last first; what is being written has a dot in front. */
async function foldersByUse(directory: string): Promise<readonly Folder[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => !name.startsWith("."));
  const folders = await Promise.all(
    names.map(async (name): Promise<Folder> => {
      const path = join(directory, name);
      return { path, usedMs: (await stat(path)).mtimeMs };
    }),
  );
  return folders.sort((left, right) => right.usedMs - left.usedMs);
}
