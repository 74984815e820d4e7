import {
  guessMediaType,
  maxManifestBytes,
  type Descriptor,
  type ImageReference,
  type ImageSource,
} from "@talos-ts/oci";
import type { ContainerdServices } from "../containerd/client.ts";
import { readContent } from "../containerd/read-content.ts";

/** An image whose blobs are in the content store already, as after reading an archive. */
export function contentSource(services: ContainerdServices, target: Descriptor): ImageSource {
  return {
    async resolve(reference: ImageReference, signal) {
      const digest = reference.digest ?? target.digest;
      const bytes = await readContent(services, digest, maxManifestBytes, signal);
      return { descriptor: { mediaType: guessMediaType(bytes), digest, size: bytes.byteLength }, bytes };
    },
    async *blob(_reference, { digest }, { offset = 0, signal } = {}) {
      const options = signal === undefined ? {} : { signal };
      for await (const { data } of services.content.read({ digest, offset: BigInt(offset) }, options)) yield data;
    },
  };
}
