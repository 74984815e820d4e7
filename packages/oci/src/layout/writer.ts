import { mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { splitDigest, verified } from "../digest.ts";
import { parseManifest, type Descriptor } from "../manifest.ts";
import { mediaTypes } from "../media-types.ts";
import { formatReference, type ImageReference } from "../reference.ts";
import { referenceAnnotation } from "./layout.ts";
import { absentAsUndefined, replaceFile } from "./replace-file.ts";

/** Adds images to a folder. Every file appears whole or not at all. */
export interface LayoutWriter {
  /** Reports whether a blob of this size is there. */
  has(descriptor: Pick<Descriptor, "digest" | "size">): Promise<boolean>;
  /** Stores a blob, checking its size and digest. */
  putBlob(descriptor: Descriptor, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Stores a manifest or an index of an image. @param bytes those that the descriptor names */
  putManifest(reference: ImageReference, descriptor: Descriptor, bytes: Uint8Array): Promise<void>;
  /** Gives an image its name; an older image of that name loses it. */
  putImage(reference: ImageReference, descriptor: Descriptor): Promise<void>;
}

/** Opens a layout for writing, or makes a new one. @throws data-loss when something else is there */
export async function openLayoutWriter(directory: string): Promise<LayoutWriter> {
  await mkdir(join(directory, "blobs", "sha256"), { recursive: true });
  const index = join(directory, "index.json");
  await writeFile(join(directory, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));

  const pathOf = (digest: string): string => {
    const { algorithm, hex } = splitDigest(digest);
    return join(directory, "blobs", algorithm, hex);
  };

  async function images(): Promise<readonly Descriptor[]> {
    const bytes = await absentAsUndefined(() => readFile(index));
    if (bytes === undefined) return [];
    const document = parseManifest(bytes, mediaTypes.ociIndex);
    return document.kind === "index" ? document.manifests : [];
  }

  return {
    async has({ digest, size }) {
      return (await absentAsUndefined(() => stat(pathOf(digest))))?.size === size;
    },
    putBlob: (descriptor, chunks) => writeBlob(pathOf(descriptor.digest), descriptor, chunks),
    putManifest: (_reference, descriptor, bytes) => writeBlob(pathOf(descriptor.digest), descriptor, once(bytes)),
    async putImage(reference, descriptor) {
      const name = formatReference(reference);
      const others = (await images()).filter(({ annotations }) => annotations?.[referenceAnnotation] !== name);
      const manifests = [...others, { ...descriptor, annotations: { [referenceAnnotation]: name } }];
      const document = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests };
      await replaceFile(index, (temporary) => writeFile(temporary, JSON.stringify(document, null, 2)));
    },
  };
}

/** Writes a blob, checking its size and digest. */
export async function writeBlob(
  path: string,
  descriptor: Descriptor,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  await replaceFile(path, async (temporary) => {
    await using file = await open(temporary, "wx");
    for await (const chunk of verified(chunks, descriptor)) await file.write(chunk);
  });
}

/** Gives bytes as a stream of one chunk. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
