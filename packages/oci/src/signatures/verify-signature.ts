import { describeError, isKind } from "@talos-ts/base";
import { parseManifest, type Descriptor } from "../manifest.ts";
import { withDigest, type ImageReference } from "../reference.ts";
import type { ImageSource } from "../source.ts";
import { bundleMediaType, checkBundle } from "./bundle.ts";
import { checkSimpleSigning } from "./simple-signing.ts";
import type { SignatureKey } from "./signature-key.ts";
import { unverified } from "./unverified.ts";

export interface VerifySignatureOptions {
  readonly source: ImageSource;
  /** The image; tag and digest are not looked at. */
  readonly reference: ImageReference;
  /** Digest of the manifest or index that must be signed. */
  readonly digest: string;
  readonly key: SignatureKey;
  readonly signal?: AbortSignal | undefined;
}

/** More signatures of one image are not looked at. */
const maxSignatures = 100;
/** A payload names one image, a bundle has some certificates beside it. */
const maxPayloadBytes = 1024 * 1024;

/** A place where signatures of an image are, and how they are checked there. */
interface Place {
  readonly name: string;
  /** Manifests, or indexes of manifests, whose layers are signatures. */
  find(options: VerifySignatureOptions): Promise<readonly ImageReference[]>;
  accepts(layer: Descriptor): boolean;
  check(layer: Descriptor, payload: Uint8Array, options: VerifySignatureOptions): void;
  /** Tells of a signature that was found there. */
  found(manifest: ImageReference): string;
}

const tagged =
  (suffix: string) =>
  async ({
    reference: { registry, repository },
    digest,
  }: VerifySignatureOptions): Promise<readonly ImageReference[]> => [
    { registry, repository, tag: `${digest.replace(":", "-")}${suffix}` },
  ];

const bundle = {
  accepts: ({ mediaType }: Descriptor) => mediaType.startsWith(bundleMediaType),
  check: (_layer: Descriptor, payload: Uint8Array, options: VerifySignatureOptions) => checkBundle(payload, options),
};

/** In the order in which they are looked for. */
const places: readonly Place[] = [
  {
    ...bundle,
    name: "bundle referrer",
    async find({ source, reference, digest, signal }) {
      const all = (await source.referrers?.(reference, digest, signal)) ?? [];
      return all.slice(0, maxSignatures).map((each) => withDigest(reference, each.digest));
    },
    found: ({ digest }) => `verified via bundle referrer with digest ${digest ?? ""}`,
  },
  { ...bundle, name: "bundle tag", find: tagged(""), found: () => "verified via bundle" },
  {
    name: "legacy signature tag",
    find: tagged(".sig"),
    accepts: () => true,
    check: checkSimpleSigning,
    found: () => "verified via legacy signature (bundle verified false)",
  },
];

/**
 * Verifies that an image is signed with a key, as cosign signs: a Sigstore bundle that refers to the image or has the tag
 * `sha256-…`, or a simple signing payload with the tag `sha256-….sig`. Signatures come from where the image comes from.
 *
 * @returns where the signature was
 * @throws {OsError} `image/unverified` with what was wrong in each place
 */
export async function verifySignature(options: VerifySignatureOptions): Promise<string> {
  const failures: string[] = [];
  for (const place of places) {
    const before = failures.length;
    for (const manifest of await place.find(options)) {
      for (const layer of await layersOf(manifest, options)) {
        if (!place.accepts(layer)) continue;
        try {
          place.check(layer, await readPayload(layer, options), options);
          return place.found(manifest);
        } catch (err) {
          options.signal?.throwIfAborted();
          failures.push(`${place.name}: ${describeError(err)}`);
        }
      }
    }
    if (failures.length === before) failures.push(`${place.name} not found`);
  }
  throw unverified(`image verification failed: no valid signature found: ${failures.join("; ")}`);
}

/** Layers of a manifest, or of the manifests of an index; none where there is nothing of that name. */
async function layersOf(manifest: ImageReference, options: VerifySignatureOptions): Promise<readonly Descriptor[]> {
  const { source, signal } = options;
  const layers: Descriptor[] = [];
  const collect = async (reference: ImageReference, depth: number): Promise<void> => {
    const { bytes, descriptor } = await source.resolve(reference, signal);
    const document = parseManifest(bytes, descriptor.mediaType);
    if (document.kind === "manifest") layers.push(...document.layers);
    else if (depth === 0) {
      for (const { digest } of document.manifests.slice(0, maxSignatures)) {
        await collect(withDigest(reference, digest), depth + 1);
      }
    }
  };
  try {
    await collect(manifest, 0);
  } catch (err) {
    if (!isKind(err, "not-found")) throw err;
  }
  return layers.slice(0, maxSignatures);
}

async function readPayload(
  layer: Descriptor,
  { source, reference, signal }: VerifySignatureOptions,
): Promise<Uint8Array> {
  if (layer.size > maxPayloadBytes) throw unverified(`a payload of ${String(layer.size)} bytes is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.blob(reference, layer, { signal })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
