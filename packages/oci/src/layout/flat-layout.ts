import { createReadStream } from "node:fs";
import { glob, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { checkDigest, digestOf, verified } from "../digest.ts";
import { guessMediaType, type Descriptor } from "../manifest.ts";
import { formatReference, type ImageReference } from "../reference.ts";
import type { ResolvedImage } from "../source.ts";
import { flatPaths, referenceOfTag } from "./flat.ts";
import type { ImageLayout } from "./layout.ts";
import { absentAsUndefined } from "./replace-file.ts";

/** Reads a flat image cache; see `flatPaths`. */
export function openFlatLayout(directory: string): ImageLayout {
  async function document(path: string, reference: ImageReference): Promise<ResolvedImage> {
    const bytes = await absentAsUndefined(() => readFile(path));
    if (bytes === undefined) throw absent(reference, directory);
    const descriptor = { mediaType: guessMediaType(bytes), digest: digestOf(bytes), size: bytes.byteLength };
    return { descriptor, bytes };
  }
  return {
    directory,
    async images() {
      const found = new Map<string, Descriptor>();
      const root = flatPaths.manifests(directory);
      for await (const path of glob("**/reference/*", { cwd: root })) {
        const reference = referenceOfTag(path);
        if (reference === undefined) continue;
        found.set(formatReference(reference), (await document(join(root, path), reference)).descriptor);
      }
      return found;
    },
    async blobSize(digest) {
      return (await absentAsUndefined(() => stat(flatPaths.blob(directory, digest))))?.size;
    },
    async resolve(reference) {
      const { tag = "latest", digest } = reference;
      if (digest === undefined) return document(flatPaths.tag(directory, reference, tag), reference);
      const resolved = await document(flatPaths.digest(directory, reference, digest), reference);
      checkDigest(resolved.bytes, digest, `manifest in image cache ${directory}`);
      return { ...resolved, descriptor: { ...resolved.descriptor, digest } };
    },
    blob(_reference, descriptor, { offset = 0, signal } = {}) {
      const path = flatPaths.blob(directory, descriptor.digest);
      const options = { start: offset, ...(signal === undefined ? {} : { signal }) };
      const chunks = createReadStream(path, options) as AsyncIterable<Buffer>;
      return offset === 0 ? verified(chunks, descriptor) : chunks;
    },
  };
}

function absent(reference: ImageReference, directory: string): OsError {
  const message = `image ${formatReference(reference)} is not in image cache ${directory}`;
  return new OsError({ kind: "not-found", code: "image/not-in-layout", message });
}
