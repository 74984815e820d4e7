import { createHash } from "node:crypto";
import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { imageEpoch } from "../rootfs/squash.ts";
import { imageConfig, type ProcessConfig } from "./image-config.ts";
import type { Layer } from "./write-layer.ts";

export interface LayoutImage {
  /** The whole reference, for example `registry.k8s.io/pause:3.10.1`. */
  readonly reference: string;
  readonly process: ProcessConfig;
  readonly labels: Readonly<Record<string, string>>;
  /** From the bottom to the top. */
  readonly layers: readonly StoredLayer[];
}

export interface StoredLayer extends Layer {
  /** File with the bytes. */
  readonly file: string;
}

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
} as const;

/** The annotation by which a layout names its images. */
export const referenceAnnotation = "org.opencontainers.image.ref.name";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * Writes an OCI image layout with these images into a new folder. Layers that images share are there once, as links to the
 * files they come from where the file system allows it.
 */
export async function writeLayout(
  directory: string,
  images: readonly LayoutImage[],
  architecture: string,
): Promise<void> {
  const blobs = join(directory, "blobs/sha256");
  await mkdir(blobs, { recursive: true });
  const put = async (mediaType: string, document: unknown): Promise<Descriptor> => {
    const bytes = Buffer.from(JSON.stringify(document));
    const hex = createHash("sha256").update(bytes).digest("hex");
    await writeFile(join(blobs, hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.byteLength };
  };
  const stored = new Set<string>();
  const manifests: unknown[] = [];
  for (const image of images) {
    for (const layer of image.layers) {
      if (stored.has(layer.digest)) continue;
      stored.add(layer.digest);
      await linkOrCopy(layer.file, join(blobs, layer.digest.replace("sha256:", "")));
    }
    const config = await put(
      mediaTypes.config,
      imageConfig({
        architecture,
        created: imageEpoch,
        process: image.process,
        labels: image.labels,
        diffIds: image.layers.map(({ diffId }) => diffId),
      }),
    );
    const manifest = await put(mediaTypes.manifest, {
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config,
      layers: image.layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
    });
    manifests.push({
      ...manifest,
      platform: { architecture, os: "linux" },
      annotations: { [referenceAnnotation]: image.reference },
    });
  }
  await writeFile(
    join(directory, "index.json"),
    `${JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests }, undefined, 2)}\n`,
  );
  // Written last: a folder with this file is whole.
  await writeFile(join(directory, "oci-layout"), `${JSON.stringify({ imageLayoutVersion: "1.0.0" })}\n`);
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
