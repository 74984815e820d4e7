import { OsError } from "@talos-ts/base";
import {
  formatReference,
  hostPlatform,
  parseManifest,
  selectManifest,
  withDigest,
  type ImageManifest,
  type ImageReference,
  type ImageSource,
  type ResolvedImage,
} from "@talos-ts/oci";

/** The manifest for this machine, and the documents on the way to it: the first is what the reference stands for. */
export interface ResolvedManifest {
  readonly manifest: ImageManifest;
  readonly documents: readonly ResolvedImage[];
}

/** Indexes inside indexes end here. */
const maxDepth = 4;

/** Resolves a reference and follows indexes to the manifest of this machine's platform. */
export async function resolveManifest(
  source: ImageSource,
  reference: ImageReference,
  signal?: AbortSignal,
): Promise<ResolvedManifest> {
  const documents: ResolvedImage[] = [];
  let next = reference;
  while (documents.length < maxDepth) {
    const resolved = await source.resolve(next, signal);
    documents.push(resolved);
    const document = parseManifest(resolved.bytes, resolved.descriptor.mediaType);
    if (document.kind === "manifest") return { manifest: document, documents };
    next = withDigest(reference, selectManifest(document.manifests, hostPlatform()).digest);
  }
  const message = `image ${formatReference(reference)} has more than ${String(maxDepth)} indexes inside each other`;
  throw new OsError({ kind: "data-loss", code: "image/deep-index", message });
}
