import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isKind, OsError } from "@talos-ts/base";
import { splitDigest, verified } from "../digest.ts";
import { parseManifest, type Descriptor } from "../manifest.ts";
import { mediaTypes } from "../media-types.ts";
import { formatReference, type ImageReference } from "../reference.ts";
import { referenceAnnotation } from "./layout.ts";

/** Adds to an OCI image layout. Every file appears whole or not at all. */
export interface LayoutWriter {
  /** Reports whether a blob of this size is there. */
  has(descriptor: Pick<Descriptor, "digest" | "size">): Promise<boolean>;
  /** Stores a blob, checking its size and digest. */
  putBlob(descriptor: Descriptor, chunks: AsyncIterable<Uint8Array>): Promise<void>;
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
    async putBlob(descriptor, chunks) {
      const path = pathOf(descriptor.digest);
      await mkdir(join(path, ".."), { recursive: true });
      await replace(path, async (temporary) => {
        await using file = await open(temporary, "wx");
        for await (const chunk of verified(chunks, descriptor)) await file.write(chunk);
      });
    },
    async putImage(reference, descriptor) {
      const name = formatReference(reference);
      const others = (await images()).filter(({ annotations }) => annotations?.[referenceAnnotation] !== name);
      const manifests = [...others, { ...descriptor, annotations: { [referenceAnnotation]: name } }];
      const document = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests };
      await replace(index, (temporary) => writeFile(temporary, JSON.stringify(document, null, 2)));
    },
  };
}

async function replace(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function absentAsUndefined<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (err) {
    if (isKind(OsError.from(err), "not-found")) return undefined;
    throw err;
  }
}
