import { isKind } from "@talos-ts/base";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ContainerdServices } from "../containerd/client.ts";
import { readManifest } from "./local-image.ts";

export interface ListedImage {
  readonly name: string;
  readonly digest: string;
  /** Bytes as they are transferred; 0 when its manifest is gone. */
  readonly size: bigint;
  readonly createdAt: Timestamp | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** Images of a namespace by name. The names that are only ids are left out. */
export async function* listImages(
  services: ContainerdServices,
  signal: AbortSignal,
): AsyncGenerator<ListedImage, void, undefined> {
  const { images } = await services.images.list({}, { signal });
  const named = images.filter(({ name }) => !name.startsWith("sha256:"));
  for (const { name, target, createdAt, labels } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { digest = "", mediaType = "" } = target ?? {};
    yield { name, digest, size: await sizeOf(services, digest, mediaType, signal), createdAt, labels };
  }
}

async function sizeOf(
  services: ContainerdServices,
  digest: string,
  mediaType: string,
  signal: AbortSignal,
): Promise<bigint> {
  try {
    const { config, layers } = await readManifest(services, digest, mediaType, signal);
    return BigInt([config, ...layers].reduce((sum, { size }) => sum + size, 0));
  } catch (err) {
    if (isKind(err, "not-found")) return 0n;
    throw err;
  }
}
