import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OsError, readTar } from "@talos-ts/base";
import { parseManifest, type Descriptor, type ImageManifest, type Platform } from "./manifest.ts";
import { selectManifest } from "./platform.ts";
import { formatReference, withDigest, type ImageReference } from "./reference.ts";
import type { ImageSource } from "./source.ts";

/** Largest file that is read, in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

export interface ReadImageFileOptions {
  readonly source: ImageSource;
  readonly reference: ImageReference;
  readonly platform: Platform;
  /** Path in the image, without a leading slash. */
  readonly path: string;
  readonly signal?: AbortSignal;
}

/** Reads one file of an image without unpacking it; the uppermost layer that has it counts. @throws not-found */
export async function readImageFile(options: ReadImageFileOptions): Promise<Buffer> {
  const { reference, path } = options;
  const { layers } = await findManifest(options);
  for (const layer of layers.toReversed()) {
    const found = await fileIn(options, layer);
    if (found !== undefined) return found;
  }
  const message = `image ${formatReference(reference)} has no file ${path}`;
  throw new OsError({ kind: "not-found", code: "image/no-file", message });
}

async function findManifest({ source, reference, platform, signal }: ReadImageFileOptions): Promise<ImageManifest> {
  const { bytes, descriptor } = await source.resolve(reference, signal);
  const top = parseManifest(bytes, descriptor.mediaType);
  if (top.kind === "manifest") return top;
  const { digest } = selectManifest(top.manifests, platform);
  const chosen = await source.resolve(withDigest(reference, digest), signal);
  const manifest = parseManifest(chosen.bytes, chosen.descriptor.mediaType);
  if (manifest.kind === "manifest") return manifest;
  const message = `image ${formatReference(reference)} has an index inside its index`;
  throw new OsError({ kind: "data-loss", code: "image/deep-index", message });
}

async function fileIn(options: ReadImageFileOptions, layer: Descriptor): Promise<Buffer | undefined> {
  const { source, reference, path, signal } = options;
  const blob = Readable.from(source.blob(reference, layer, signal === undefined ? {} : { signal }));
  const archive = layer.mediaType.endsWith("gzip") ? blob.compose(createGunzip()) : blob;
  for await (const entry of readTar(archive as AsyncIterable<Buffer>)) {
    if (entry.type !== "file" || entry.name.replace(/^\.?\/+/, "") !== path) continue;
    if (entry.size > maxFileBytes) {
      const message = `${path} of image ${formatReference(reference)} has ${String(entry.size)} bytes, expected at most ${String(maxFileBytes)}`;
      throw new OsError({ kind: "resource-exhausted", code: "image/too-large", message });
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.content) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  return undefined;
}
