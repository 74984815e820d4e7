import { parseManifest, type ImageManifest, type ResolvedImage } from "@talos-ts/oci";
import type { ContainerdServices } from "../containerd/client.ts";
import { snapshotter } from "./unpack.ts";

/**
 * Ties the blobs of an image together with labels, which containerd's garbage collection follows from the name of the image: index →
 * manifest → configuration → unpacked layers. The archives of the layers are left out: once unpacked they only take space.
 */
export async function labelContent(
  services: ContainerdServices,
  documents: readonly ResolvedImage[],
  manifest: ImageManifest,
  chainId: string,
): Promise<void> {
  const present = new Set(documents.map(({ descriptor }) => descriptor.digest));
  for (const { descriptor, bytes } of documents) {
    const document = parseManifest(bytes, descriptor.mediaType);
    const labels =
      document.kind === "manifest"
        ? { "containerd.io/gc.ref.content.config": document.config.digest }
        : Object.fromEntries(
            document.manifests
              .map(({ digest }, index) => [`containerd.io/gc.ref.content.m.${String(index)}`, digest] as const)
              .filter(([, digest]) => present.has(digest)),
          );
    await addLabels(services, descriptor.digest, labels);
  }
  if (chainId === "") return;
  await addLabels(services, manifest.config.digest, { [`containerd.io/gc.ref.snapshot.${snapshotter}`]: chainId });
}

async function addLabels(
  { content }: ContainerdServices,
  digest: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const paths = Object.keys(labels).map((name) => `labels.${name}`);
  if (paths.length === 0) return;
  await content.update({ info: { digest, labels }, updateMask: { paths } });
}
