import { isKind } from "@talos-ts/base";
import { formatReference, withDigest, type Descriptor, type ImageReference } from "@talos-ts/oci";
import type { ContainerdServices } from "../containerd/client.ts";

export interface ImageRecord {
  readonly namespace: string;
  readonly reference: ImageReference;
  /** Manifest or index that the reference stands for. */
  readonly target: Descriptor;
  readonly configDigest: string;
}

/** By this label the CRI plugin knows that it need not take the image over itself. */
const managed = { "io.cri-containerd.image": "managed" } as const;
const criNamespace = "k8s.io";

/**
 * Gives an image its names. In the namespace of Kubernetes it gets the same ones as when the kubelet pulls it: by tag, by digest, and
 * by the digest of its configuration, which is the id there.
 */
export async function recordImage({ images }: ContainerdServices, record: ImageRecord): Promise<void> {
  const { reference, target, configDigest } = record;
  const isCri = record.namespace === criNamespace;
  const name = formatReference(reference);
  const names = isCri ? [configDigest, formatReference(withDigest(reference, target.digest)), name] : [name];
  const { mediaType, digest, size } = target;
  for (const each of new Set(names)) {
    const image = { name: each, labels: isCri ? managed : {}, target: { mediaType, digest, size: BigInt(size) } };
    try {
      await images.create({ image });
    } catch (err) {
      if (!isKind(err, "already-exists")) throw err;
      await images.update({ image, updateMask: { paths: ["target", ...(isCri ? ["labels"] : [])] } });
    }
  }
}
