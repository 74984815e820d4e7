import { stat } from "node:fs/promises";
import { join } from "node:path";
import { splitDigest } from "../digest.ts";
import type { ImageReference } from "../reference.ts";
import { absentAsUndefined } from "./replace-file.ts";

/** Paths of a flat image cache, in which manifests stand below their repository: the format of the image cache of Talos. */
export const flatPaths = {
  blobs: (directory: string): string => join(directory, "blob"),
  manifests: (directory: string): string => join(directory, "manifests"),
  blob: (directory: string, digest: string): string => join(flatPaths.blobs(directory), fileOf(digest)),
  digest: (directory: string, reference: ImageReference, digest: string): string =>
    join(repositoryOf(directory, reference), "digest", fileOf(digest)),
  tag: (directory: string, reference: ImageReference, tag: string): string =>
    join(repositoryOf(directory, reference), "reference", tag),
};

/** Digests have no colon in the names of files, so that the folder fits on any file system. */
function fileOf(digest: string): string {
  const { algorithm, hex } = splitDigest(digest);
  return `${algorithm}-${hex}`;
}

function repositoryOf(directory: string, { registry, repository }: ImageReference): string {
  return join(flatPaths.manifests(directory), registry.replace(/:(\d+)$/, "_$1_"), repository);
}

/** Reads the reference back from the path of a tag below `manifests`. */
export function referenceOfTag(path: string): ImageReference | undefined {
  const parts = path.split("/");
  const [registry = "", tag] = [parts[0], parts.at(-1)];
  if (tag === undefined || parts.at(-2) !== "reference" || parts.length < 4) return undefined;
  return { registry: registry.replace(/_(\d+)_$/, ":$1"), repository: parts.slice(1, -2).join("/"), tag };
}

/** Reports whether a folder has the form of a flat image cache. */
export async function isFlat(directory: string): Promise<boolean> {
  const folders = [flatPaths.blobs(directory), flatPaths.manifests(directory)];
  const found = await Promise.all(folders.map((path) => absentAsUndefined(() => stat(path))));
  return found.every((each) => each?.isDirectory() === true);
}
