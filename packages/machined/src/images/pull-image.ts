import {
  formatReference,
  parseImageConfig,
  type Descriptor,
  type ImageReference,
  type ImageSource,
} from "@talos-ts/oci";
import type { ContainerdClient, ContainerdServices } from "../containerd/client.ts";
import { createLease } from "../containerd/lease.ts";
import { readContent } from "../containerd/read-content.ts";
import { writeContent } from "../containerd/write-content.ts";
import { labelContent } from "./content-labels.ts";
import { recordImage } from "./image-records.ts";
import { maxConfigBytes, type LocalImage } from "./local-image.ts";
import type { OnProgress } from "./progress.ts";
import { resolveManifest } from "./resolve-manifest.ts";
import { layerChain, missingLayers, unpackLayer, type LayerOfChain } from "./unpack.ts";

export interface PullImageOptions {
  readonly reference: ImageReference;
  readonly source: ImageSource;
  readonly client: ContainerdClient;
  /** Refuses an image by throwing, once it is known what the reference stands for and before anything is kept. */
  readonly check?: (digest: string) => Promise<unknown>;
  readonly progress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** Layers that are fetched before they are unpacked, besides the one that is being unpacked. */
const layersAhead = 3;

/**
 * Brings an image into containerd: its manifest and configuration into the content store, its layers into the snapshotter, and its
 * names into the image store. Only layers that are not unpacked yet are fetched, and their archives are not kept.
 *
 * Everything is under a lease until the names refer to it, so that nothing is collected half-way.
 */
export async function pullImage(options: PullImageOptions): Promise<LocalImage> {
  const { reference, source, client, signal } = options;
  const { manifest, documents } = await resolveManifest(source, reference, signal);
  const target = (documents[0] ?? { descriptor: manifest.config }).descriptor;
  await options.check?.(target.digest);
  await using lease = await createLease(client, "pull");
  const { services } = lease;
  for (const { descriptor, bytes } of documents)
    await put(services, options, descriptor, (offset) => once(bytes.subarray(offset)));
  await fetchBlob(services, options, manifest.config);
  const config = parseImageConfig(await readContent(services, manifest.config.digest, maxConfigBytes, signal));
  const chain = layerChain(manifest.layers, config.diffIds);
  const missing = await missingLayers(lease, chain);
  for (const { descriptor } of chain.slice(0, chain.length - missing.length)) {
    options.progress?.({ blob: descriptor.digest, status: "exists", offset: descriptor.size, total: descriptor.size });
  }
  await fetchAndUnpack(services, options, missing);
  const chainId = chain.at(-1)?.chainId ?? "";
  await labelContent(services, documents, manifest, chainId);
  await recordImage(services, { namespace: client.namespace, reference, target, configDigest: manifest.config.digest });
  const size = [manifest.config, ...manifest.layers].reduce((sum, blob) => sum + blob.size, 0);
  return { name: formatReference(reference), digest: target.digest, size, chainId, config };
}

/** Fetches a few layers ahead of the one that is being unpacked, as unpacking goes from the bottom up. */
async function fetchAndUnpack(
  services: ContainerdServices,
  options: PullImageOptions,
  layers: readonly LayerOfChain[],
): Promise<void> {
  const { progress, signal } = options;
  const stop = new AbortController();
  const both = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const fetched: Promise<void>[] = [];
  const fetchNext = (): void => {
    const layer = layers[fetched.length];
    if (layer === undefined) return;
    const under = fetchBlob(services, { ...options, signal: both }, layer.descriptor);
    under.catch(() => undefined);
    fetched.push(under);
  };
  try {
    for (let index = 0; index < layersAhead; index += 1) fetchNext();
    for (const [index, layer] of layers.entries()) {
      await fetched[index];
      fetchNext();
      const { digest, size } = layer.descriptor;
      progress?.({ blob: digest, status: "extracting", offset: size, total: size });
      await unpackLayer(services, layer, both);
      progress?.({ blob: digest, status: "extracted", offset: size, total: size });
    }
  } finally {
    stop.abort();
    await Promise.allSettled(fetched);
  }
}

async function fetchBlob(
  services: ContainerdServices,
  options: PullImageOptions,
  descriptor: Descriptor,
): Promise<void> {
  const { source, reference, progress, signal } = options;
  const { digest, size } = descriptor;
  const told = (status: "downloading" | "downloaded" | "exists", offset: number): void =>
    progress?.({ blob: digest, status, offset, total: size });
  told("downloading", 0);
  const open = (offset: number) =>
    source.blob(reference, descriptor, { offset, ...(signal === undefined ? {} : { signal }) });
  const outcome = await put(services, options, descriptor, open, (offset) => told("downloading", offset));
  told(outcome === "exists" ? "exists" : "downloaded", size);
}

/** Writes a blob with a note where it came from. */
function put(
  services: ContainerdServices,
  { reference, signal }: PullImageOptions,
  descriptor: Descriptor,
  open: (offset: number) => AsyncIterable<Uint8Array>,
  progress?: (offset: number) => void,
): Promise<"written" | "exists"> {
  const labels = { [`containerd.io/distribution.source.${reference.registry}`]: reference.repository };
  return writeContent(services, {
    descriptor,
    labels,
    open,
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
