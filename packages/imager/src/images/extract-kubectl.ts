import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { OsError } from "@talos-ts/base";
import { cached, type Progress } from "@talos-ts/host";
import { programLayers } from "./catalog.ts";
import { readLayerTar } from "./read-tar.ts";
import type { StoredLayer } from "./write-layout.ts";

/** Takes `kubectl` out of the layer it shares with the rest of Kubernetes; the file must be called by that name. */
export async function extractKubectl(layer: StoredLayer, cacheRoot: string, progress: Progress): Promise<string> {
  const [{ path }] = programLayers.kubernetes;
  const key = layer.digest.slice("sha256:".length, "sha256:".length + 32);
  const folder = await cached(cacheRoot, "kubectl", key, async (scratch) => {
    progress({ stage: "unpack kubectl", state: "start" });
    await mkdir(scratch);
    const file = join(scratch, "kubectl");
    const archive = createReadStream(layer.file).pipe(createZstdDecompress());
    for await (const entry of readLayerTar(archive)) {
      if (entry.path !== path) continue;
      await pipeline(Readable.from(entry.content(), { objectMode: false }), createWriteStream(file));
      await chmod(file, 0o755);
      progress({ stage: "unpack kubectl", state: "done" });
      return;
    }
    throw new OsError({
      kind: "data-loss",
      code: "image/no-kubectl",
      message: `Cannot find "${path}" in layer ${layer.digest}`,
    });
  });
  return join(folder.path, "kubectl");
}
