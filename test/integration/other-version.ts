import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync, constants, gunzipSync } from "node:zlib";
import { linkBlobs } from "./merge-layouts.ts";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

interface ImageConfig {
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

interface Index {
  readonly manifests: readonly (Descriptor & { readonly annotations: Readonly<Record<string, string>> })[];
}

const reference = "org.opencontainers.image.ref.name";

/**
 * Makes an image layout that has every image of another one, and those of Kubernetes once more under another version of the same
 * length. The programs are the same but for what they say their version is, so that nothing has to be compiled.
 */
export async function layoutWithVersion(layout: string, present: string, other: string, folder: string): Promise<void> {
  const blobs = join(folder, "blobs/sha256");
  await mkdir(blobs, { recursive: true });
  await linkBlobs(layout, folder);
  const read = (digest: string): Promise<Buffer> => readFile(join(blobs, digest.replace("sha256:", "")));
  const put = async (mediaType: string, bytes: Buffer): Promise<Descriptor> => {
    const digest = digestOf(bytes);
    await writeFile(join(blobs, digest.replace("sha256:", "")), bytes);
    return { mediaType, digest, size: bytes.byteLength };
  };
  const json = async <T>(digest: string): Promise<T> => JSON.parse((await read(digest)).toString()) as T;

  const index = JSON.parse(await readFile(join(layout, "index.json"), "utf8")) as Index;
  const layers = new Map<string, Promise<{ readonly layer: Descriptor; readonly diffId: string }>>();
  const relabel = async (layer: Descriptor): Promise<{ readonly layer: Descriptor; readonly diffId: string }> => {
    const tar = decompress(layer.mediaType, await read(layer.digest));
    const [from, to] = [Buffer.from(`v${present}`), Buffer.from(`v${other}`)];
    for (let at = tar.indexOf(from); at !== -1; at = tar.indexOf(from, at + to.length)) to.copy(tar, at);
    const bytes = zstdCompressSync(tar, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
    const mediaType = "application/vnd.oci.image.layer.v1.tar+zstd";
    return { layer: await put(mediaType, bytes), diffId: digestOf(tar) };
  };
  const added: unknown[] = [];
  for (const entry of index.manifests) {
    const name = entry.annotations[reference] ?? "";
    if (!name.endsWith(`:v${present}`)) continue;
    const manifest = await json<Manifest>(entry.digest);
    const config = await json<ImageConfig>(manifest.config.digest);
    const top = manifest.layers.at(-1);
    if (top === undefined) continue;
    const made = layers.get(top.digest) ?? relabel(top);
    layers.set(top.digest, made);
    const { layer, diffId } = await made;
    const diffIds = [...config.rootfs.diff_ids.slice(0, -1), diffId];
    const changed = { ...config, rootfs: { ...config.rootfs, diff_ids: diffIds } };
    const descriptor = await put(manifest.config.mediaType, Buffer.from(JSON.stringify(changed)));
    const document = { ...manifest, config: descriptor, layers: [...manifest.layers.slice(0, -1), layer] };
    const stored = await put(entry.mediaType, Buffer.from(JSON.stringify(document)));
    const annotations = { [reference]: name.replace(`:v${present}`, `:v${other}`) };
    added.push({ ...entry, ...stored, annotations });
  }
  await writeFile(join(folder, "index.json"), JSON.stringify({ ...index, manifests: [...index.manifests, ...added] }));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
}

function decompress(mediaType: string, bytes: Buffer): Buffer {
  return mediaType.endsWith("zstd") ? zstdDecompressSync(bytes) : gunzipSync(bytes);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
