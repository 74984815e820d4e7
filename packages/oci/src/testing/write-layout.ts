import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { digestOf } from "../digest.ts";
import { referenceAnnotation } from "../layout/layout.ts";
import type { Descriptor } from "../manifest.ts";
import { mediaTypes } from "../media-types.ts";
import { hostPlatform } from "../platform.ts";

export interface TestImage {
  readonly reference: string;
  /** Files of each layer, bottom first: path → content. */
  readonly layers: readonly Readonly<Record<string, string | Uint8Array>>[];
  /** The part `config` of the image configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Wraps the manifest in an index with this and a foreign platform. @default {false} */
  readonly index?: boolean;
}

/** Writes images into a new OCI image layout. */
export async function writeTestLayout(directory: string, images: readonly TestImage[]): Promise<readonly Descriptor[]> {
  await mkdir(join(directory, "blobs/sha256"), { recursive: true });
  const put = async (bytes: Uint8Array, mediaType: string): Promise<Descriptor> => {
    const digest = digestOf(bytes);
    await writeFile(join(directory, "blobs/sha256", digest.slice("sha256:".length)), bytes);
    return { mediaType, digest, size: bytes.byteLength };
  };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const manifests: Descriptor[] = [];
  for (const { reference, layers, config = {}, index = false } of images) {
    const archives = layers.map(tarOf);
    const { os, architecture } = hostPlatform();
    const diffIds = archives.map(digestOf);
    const document = { os, architecture, config, rootfs: { type: "layers", diff_ids: diffIds } };
    const configBlob = await put(json(document), mediaTypes.ociConfig);
    const layerBlobs: Descriptor[] = [];
    for (const archive of archives) layerBlobs.push(await put(gzipSync(archive), mediaTypes.ociLayerGzip));
    const body = { schemaVersion: 2, mediaType: mediaTypes.ociManifest, config: configBlob, layers: layerBlobs };
    const manifest = await put(json(body), mediaTypes.ociManifest);
    const foreign = {
      ...manifest,
      digest: `sha256:${"0".repeat(64)}`,
      platform: { os: "linux", architecture: "s390x" },
    };
    const list = [foreign, { ...manifest, platform: { os, architecture } }];
    const top = index
      ? await put(json({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: list }), mediaTypes.ociIndex)
      : manifest;
    manifests.push({ ...top, annotations: { [referenceAnnotation]: reference } });
  }
  await writeFile(join(directory, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
  await writeFile(join(directory, "index.json"), json({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }));
  return manifests;
}

const blockSize = 512;

/** A tar archive of plain files, all executable, and the directories above them. */
function tarOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const directories = new Set<string>();
  for (const path of Object.keys(files)) {
    const parts = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth += 1) directories.add(`${parts.slice(0, depth).join("/")}/`);
  }
  const entries = [...directories].toSorted().map((path) => header(path, 0, "5"));
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    entries.push(header(path, bytes.byteLength, "0"), bytes, Buffer.alloc(-bytes.byteLength & (blockSize - 1)));
  }
  return Buffer.concat([...entries, Buffer.alloc(2 * blockSize)]);
}

function header(path: string, size: number, type: "0" | "5"): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;
  block.write(path, 0);
  block.write(octal(0o755, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return block;
}

/** Bytes that no compression shrinks, the same for the same seed. */
export function noise(seed: string, size: number): Buffer {
  const blocks = Math.ceil(size / 32);
  return Buffer.concat(
    Array.from({ length: blocks }, (_, index) =>
      createHash("sha256")
        .update(`${seed}/${String(index)}`)
        .digest(),
    ),
  ).subarray(0, size);
}
