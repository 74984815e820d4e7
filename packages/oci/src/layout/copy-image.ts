import { OsError } from "@talos-ts/base";
import { parseManifest, type Descriptor, type Platform } from "../manifest.ts";
import { selectManifest } from "../platform.ts";
import { formatReference, withDigest, type ImageReference } from "../reference.ts";
import type { ImageSource, ResolvedImage } from "../source.ts";
import type { LayoutWriter } from "./writer.ts";

export interface CopyImageOptions {
  readonly source: ImageSource;
  readonly target: LayoutWriter;
  readonly reference: ImageReference;
  readonly platform: Platform;
  /** Told when a blob is there. */
  readonly progress?: (blob: Descriptor, outcome: "copied" | "exists") => void;
  readonly signal?: AbortSignal;
}

/** Indexes inside indexes end here. */
const maxDepth = 4;

/** Copies an image for one platform into a layout. The index it stands in is kept, so that its digest stays the same. */
export async function copyImage(options: CopyImageOptions): Promise<Descriptor> {
  const { source, target, reference, platform, signal } = options;
  const top = await source.resolve(reference, signal);
  let document: ResolvedImage = top;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const { bytes, descriptor } = document;
    await target.putBlob(descriptor, once(bytes));
    const parsed = parseManifest(bytes, descriptor.mediaType);
    if (parsed.kind === "manifest") {
      for (const blob of [parsed.config, ...parsed.layers]) await copyBlob(options, blob);
      await target.putImage(reference, top.descriptor);
      return top.descriptor;
    }
    document = await source.resolve(withDigest(reference, selectManifest(parsed.manifests, platform).digest), signal);
  }
  const message = `image ${formatReference(reference)} has more than ${String(maxDepth)} indexes inside each other`;
  throw new OsError({ kind: "data-loss", code: "image/deep-index", message });
}

async function copyBlob(
  { source, target, reference, progress, signal }: CopyImageOptions,
  blob: Descriptor,
): Promise<void> {
  const isThere = await target.has(blob);
  if (!isThere) await target.putBlob(blob, source.blob(reference, blob, signal === undefined ? {} : { signal }));
  progress?.(blob, isThere ? "exists" : "copied");
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
