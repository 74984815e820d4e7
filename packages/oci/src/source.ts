import type { Descriptor } from "./manifest.ts";
import type { ImageReference } from "./reference.ts";

/** A manifest or an index, and what it is. */
export interface ResolvedImage {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/** Describes where images come from: a registry, or a layout on disk. */
export interface ImageSource {
  /** Finds what a reference stands for. @throws not-found */
  resolve(reference: ImageReference, signal?: AbortSignal): Promise<ResolvedImage>;
  /**
   * Reads a blob from `offset` on, in chunks, only as fast as it is consumed.
   *
   * The digest is checked when the whole blob is read (`offset` 0); whoever continues a blob has to check it himself.
   */
  blob(reference: ImageReference, descriptor: Descriptor, options?: BlobOptions): AsyncIterable<Uint8Array>;
  /** Lists manifests that refer to another one, as signatures do; none where the registry keeps no such list. */
  referrers?(reference: ImageReference, digest: string, signal?: AbortSignal): Promise<readonly Descriptor[]>;
}

export interface BlobOptions {
  /** First byte wanted. @default {0} */
  readonly offset?: number;
  readonly signal?: AbortSignal | undefined;
}
