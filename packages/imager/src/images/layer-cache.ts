import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, type Progress } from "@talos-ts/host";
import { sha256File } from "../packages/fetch-packages.ts";
import type { TarEntry } from "./tar-entry.ts";
import { writeLayer, type Layer } from "./write-layer.ts";
import type { StoredLayer } from "./write-layout.ts";

export interface LayerCacheOptions {
  readonly cacheRoot: string;
  /** Name of the layer, for progress. */
  readonly name: string;
  /** Changes with everything that decides its content. */
  readonly key: string;
  readonly signal?: AbortSignal;
}

/** Returns a layer of the cache, making it first when it is absent or its bytes are damaged. */
export async function cachedLayer(
  { cacheRoot, name, key, signal }: LayerCacheOptions,
  entries: () => Promise<readonly TarEntry[]>,
  progress: Progress,
): Promise<StoredLayer> {
  const folder = join(cacheRoot, "layers", key);
  const kept = await readLayer(folder);
  if (kept !== undefined) return kept;
  await rm(folder, { recursive: true, force: true });
  await cached(cacheRoot, "layers", key, async (scratch) => {
    const content = await entries();
    const stage = `pack ${name}`;
    progress({ stage, state: "start" });
    await mkdir(scratch);
    const layer = await writeLayer(content, join(scratch, "blob"), signal === undefined ? {} : { signal });
    await writeFile(join(scratch, "layer.json"), JSON.stringify(layer));
    progress({ stage, state: "done", detail: `${(layer.size / 1e6).toFixed(1)} MB` });
  });
  const made = await readLayer(folder);
  if (made === undefined) throw new Error(`the layer ${name} in "${folder}" was taken away`);
  return made;
}

async function readLayer(folder: string): Promise<StoredLayer | undefined> {
  try {
    const layer = JSON.parse(await readFile(join(folder, "layer.json"), "utf8")) as Layer;
    const file = join(folder, "blob");
    return `sha256:${(await sha256File(file)) ?? ""}` === layer.digest ? { ...layer, file } : undefined;
  } catch {
    return undefined;
  }
}
