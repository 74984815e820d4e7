import { isKind, OsError } from "@talos-ts/base";
import { splitDigest } from "../digest.ts";
import { parseManifest, type Descriptor, type Platform } from "../manifest.ts";
import { selectManifest } from "../platform.ts";
import { formatReference, withDigest, type ImageReference } from "../reference.ts";
import type { ImageSource, ResolvedImage } from "../source.ts";
import type { LayoutWriter } from "./writer.ts";

export interface CopyImageOptions {
  readonly source: ImageSource;
  readonly target: LayoutWriter;
  readonly reference: ImageReference;
  /** Which images of an index to copy; `all` takes attestations too. */
  readonly platform: Platform | "all";
  /** Told when a blob is there. */
  readonly progress?: (blob: Descriptor, outcome: "copied" | "exists") => void;
  readonly signal?: AbortSignal;
}

/** Indexes inside indexes end here. */
const maxDepth = 4;

/** Copies an image into a layout. The index it stands in is kept, so that its digest stays the same. */
export async function copyImage(options: CopyImageOptions): Promise<Descriptor> {
  const { source, target, reference, signal } = options;
  const top = await source.resolve(reference, signal);
  await copyDocument(options, top, 0);
  await target.putImage(reference, top.descriptor);
  return top.descriptor;
}

/**
 * Copies the signatures of an image that are kept under tags of its repository, by cosign as `sha256-<hex>.sig`, as referrers under
 * `sha256-<hex>`.
 *
 * @param digest That of the image.
 * @returns whether there are any
 */
export async function copySignatures(
  options: Omit<CopyImageOptions, "platform">,
  { digest }: Pick<Descriptor, "digest">,
): Promise<boolean> {
  const { registry, repository } = options.reference;
  const { algorithm, hex } = splitDigest(digest);
  for (const tag of [`${algorithm}-${hex}.sig`, `${algorithm}-${hex}`]) {
    try {
      await copyImage({ ...options, reference: { registry, repository, tag }, platform: "all" });
      return true;
    } catch (err) {
      if (!isKind(OsError.from(err), "not-found")) throw err;
    }
  }
  return false;
}

async function copyDocument(options: CopyImageOptions, document: ResolvedImage, depth: number): Promise<void> {
  const { source, target, reference, platform, signal } = options;
  if (depth === maxDepth) throw tooDeep(reference);
  const { bytes, descriptor } = document;
  await target.putManifest(reference, descriptor, bytes);
  const parsed = parseManifest(bytes, descriptor.mediaType);
  if (parsed.kind === "manifest") {
    for (const blob of [parsed.config, ...parsed.layers]) await copyBlob(options, blob);
    return;
  }
  const wanted = platform === "all" ? parsed.manifests : [selectManifest(parsed.manifests, platform)];
  for (const { digest } of wanted) {
    await copyDocument(options, await source.resolve(withDigest(reference, digest), signal), depth + 1);
  }
}

async function copyBlob(
  { source, target, reference, progress, signal }: CopyImageOptions,
  blob: Descriptor,
): Promise<void> {
  const isThere = await target.has(blob);
  if (!isThere) await target.putBlob(blob, source.blob(reference, blob, signal === undefined ? {} : { signal }));
  progress?.(blob, isThere ? "exists" : "copied");
}

function tooDeep(reference: ImageReference): OsError {
  const message = `image ${formatReference(reference)} has more than ${String(maxDepth)} indexes inside each other`;
  return new OsError({ kind: "data-loss", code: "image/deep-index", message });
}
