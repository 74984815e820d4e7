import { OsError, readTar, type TarEntry } from "@talos-ts/base";
import {
  isDigest,
  maxManifestBytes,
  mediaTypes,
  parseManifest,
  parseReference,
  referenceAnnotation,
  type Descriptor,
} from "@talos-ts/oci";
import type { ContainerdClient, ContainerdServices } from "../containerd/client.ts";
import { createLease } from "../containerd/lease.ts";
import { writeContent } from "../containerd/write-content.ts";
import { contentSource } from "./content-source.ts";
import type { LocalImage } from "./local-image.ts";
import { pullImage } from "./pull-image.ts";

/** The annotation with which containerd writes the full name; other tools have only the tag in the standard one. */
const containerdName = "io.containerd.image.name";

/**
 * Reads a tar archive in the OCI image layout into containerd, without a copy on disk in between: blobs go into the content store as
 * they come, and the images of its index are unpacked at the end.
 *
 * @throws data-loss when it is no such archive, or a blob is not what its name says
 */
export async function importImages(
  client: ContainerdClient,
  archive: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<readonly LocalImage[]> {
  await using lease = await createLease(client, "import");
  const named = namedImages(await readArchive(lease.services, archive, signal));
  const images: LocalImage[] = [];
  for (const { name, descriptor } of named) {
    const source = contentSource(lease.services, descriptor);
    const reference = parseReference(name);
    images.push(await pullImage({ reference, source, client, ...(signal === undefined ? {} : { signal }) }));
  }
  return images;
}

/** Stores every blob; gives the index. */
async function readArchive(
  services: ContainerdServices,
  archive: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  let index: Uint8Array | undefined;
  for await (const entry of readTar(archive)) {
    const name = entry.name.replace(/^\.\//, "");
    if (entry.type !== "file") continue;
    if (name === "index.json") index = await readDocument(entry);
    const [, algorithm = "", hex = ""] = /^blobs\/([^/]+)\/([^/]+)$/.exec(name) ?? [];
    const digest = `${algorithm}:${hex}`;
    if (!isDigest(digest)) continue;
    const descriptor = { digest, size: entry.size };
    await writeContent(services, {
      descriptor,
      open: (offset) => from(entry.content, offset),
      ...(signal === undefined ? {} : { signal }),
    });
  }
  if (index !== undefined) return index;
  throw unusable("it has no index.json: expected a tar archive in the OCI image layout");
}

/** Skips what an earlier import that was cut off has stored already. */
async function* from(chunks: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array, void, undefined> {
  let skip = offset;
  for await (const chunk of chunks) {
    const useful = chunk.subarray(Math.min(skip, chunk.byteLength));
    skip -= chunk.byteLength - useful.byteLength;
    if (useful.byteLength > 0) yield useful;
  }
}

async function readDocument({ size, content }: TarEntry): Promise<Uint8Array> {
  if (size > maxManifestBytes) throw unusable(`index.json has ${String(size)} bytes`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function namedImages(index: Uint8Array): readonly { readonly name: string; readonly descriptor: Descriptor }[] {
  const document = parseManifest(index, mediaTypes.ociIndex);
  const all = document.kind === "index" ? document.manifests : [];
  const named = all.flatMap((descriptor) => {
    const name = descriptor.annotations?.[containerdName] ?? descriptor.annotations?.[referenceAnnotation];
    return name === undefined ? [] : [{ name, descriptor }];
  });
  if (named.length > 0) return named;
  throw unusable(`no entry of its index has the annotation ${referenceAnnotation} with a reference`);
}

function unusable(reason: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "image/bad-archive",
    message: `failed to import image: ${reason}`,
    next: "talosctl image cache-create --help",
  });
}
