import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { flatPaths } from "./flat.ts";
import { absentAsUndefined, replaceFile } from "./replace-file.ts";
import { once, writeBlob, type LayoutWriter } from "./writer.ts";

/** Opens a flat image cache for writing, or makes a new one. */
export async function openFlatWriter(directory: string): Promise<LayoutWriter> {
  await mkdir(flatPaths.blobs(directory), { recursive: true });
  await mkdir(flatPaths.manifests(directory), { recursive: true });
  return {
    async has({ digest, size }) {
      return (await absentAsUndefined(() => stat(flatPaths.blob(directory, digest))))?.size === size;
    },
    putBlob: (descriptor, chunks) => writeBlob(flatPaths.blob(directory, descriptor.digest), descriptor, chunks),
    putManifest: (reference, descriptor, bytes) =>
      writeBlob(flatPaths.digest(directory, reference, descriptor.digest), descriptor, once(bytes)),
    async putImage(reference, { digest }) {
      if (reference.tag === undefined) return;
      const bytes = await readFile(flatPaths.digest(directory, reference, digest));
      await replaceFile(flatPaths.tag(directory, reference, reference.tag), (temporary) => writeFile(temporary, bytes));
    },
  };
}
