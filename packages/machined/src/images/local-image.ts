import { isKind } from "@talos-ts/base";
import {
  chainIds,
  hostPlatform,
  maxManifestBytes,
  parseImageConfig,
  parseManifest,
  selectManifest,
  type ImageConfig,
  type ImageManifest,
} from "@talos-ts/oci";
import type { ContainerdServices } from "../containerd/client.ts";
import { readContent } from "../containerd/read-content.ts";
import { isUnpacked } from "./unpack.ts";

/** An image that is on this machine, unpacked. */
export interface LocalImage {
  /** Full reference. */
  readonly name: string;
  /** Digest of its manifest or index. */
  readonly digest: string;
  /** Bytes of its configuration and its layers as they are transferred. */
  readonly size: number;
  /** Name of all its layers in the snapshotter; empty for an image without layers. */
  readonly chainId: string;
  readonly config: ImageConfig;
}

export const maxConfigBytes = 8 * 1024 * 1024;

/** Finds an image by its full reference; `undefined` when it is not here, or not whole. */
export async function findLocalImage(
  services: ContainerdServices,
  name: string,
  signal?: AbortSignal,
): Promise<LocalImage | undefined> {
  try {
    const { image } = await services.images.get({ name }, signal === undefined ? {} : { signal });
    if (image?.target === undefined) return undefined;
    const { digest, mediaType } = image.target;
    const manifest = await readManifest(services, digest, mediaType, signal);
    const config = parseImageConfig(await readContent(services, manifest.config.digest, maxConfigBytes, signal));
    const chainId = chainIds(config.diffIds).at(-1) ?? "";
    if (chainId !== "" && !(await isUnpacked(services, chainId))) return undefined;
    const size = [manifest.config, ...manifest.layers].reduce((sum, blob) => sum + blob.size, 0);
    return { name, digest, size, chainId, config };
  } catch (err) {
    if (isKind(err, "not-found")) return undefined;
    throw err;
  }
}

/** Reads the manifest for this machine from the content store. @throws not-found */
export async function readManifest(
  services: ContainerdServices,
  digest: string,
  mediaType: string,
  signal?: AbortSignal,
): Promise<ImageManifest> {
  const document = parseManifest(await readContent(services, digest, maxManifestBytes, signal), mediaType);
  if (document.kind === "manifest") return document;
  const chosen = selectManifest(document.manifests, hostPlatform());
  return readManifest(services, chosen.digest, chosen.mediaType, signal);
}
