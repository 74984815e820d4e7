import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import { readOptional } from "@talos-ts/host";
import { sha256File } from "../packages/fetch-packages.ts";
import { referenceAnnotation } from "./write-layout.ts";

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Index {
  readonly manifests: readonly Descriptor[];
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export interface VerifiedLayout {
  /** References of its images. */
  readonly references: readonly string[];
  /** Bytes of all its blobs. */
  readonly bytes: number;
}

/**
 * Reads an OCI image layout and checks the digest and the size of every blob that its images need.
 *
 * @throws OsError `image/damaged-layout` with the first blob that is missing or not what its name says.
 */
export async function verifyLayout(directory: string): Promise<VerifiedLayout> {
  if ((await readOptional(join(directory, "oci-layout"))) === undefined)
    throw damaged(directory, "oci-layout", "no file");
  const index = await readDocument<Index>(directory, join(directory, "index.json"));
  const checked = new Map<string, number>();
  const check = async ({ digest, size }: Descriptor): Promise<string> => {
    const path = join(directory, "blobs", digest.replace(":", "/"));
    if (checked.has(digest)) return path;
    const actual = await sha256File(path);
    if (`sha256:${actual ?? ""}` !== digest) throw damaged(directory, digest, actual ?? "no file");
    if ((await stat(path)).size !== size) throw damaged(directory, digest, "another size");
    checked.set(digest, size);
    return path;
  };
  for (const descriptor of index.manifests) {
    const manifest = await readDocument<Manifest>(directory, await check(descriptor));
    for (const part of [manifest.config, ...manifest.layers]) await check(part);
  }
  return {
    references: index.manifests.flatMap(({ annotations }) => annotations?.[referenceAnnotation] ?? []),
    bytes: [...checked.values()].reduce((sum, size) => sum + size, 0),
  };
}

async function readDocument<T>(directory: string, path: string): Promise<T> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch (err) {
    throw damaged(directory, path, describeError(err));
  }
}

function damaged(directory: string, what: string, actual: string): OsError {
  return new OsError({
    kind: "data-loss",
    code: "image/damaged-layout",
    message: `Cannot use the images in "${directory}": expected ${what}, found ${actual}`,
    next: `rm -r ${directory} (images are built again)`,
  });
}
