import { randomUUID } from "node:crypto";
import { isKind, OsError } from "@talos-ts/base";
import { chainIds, type Descriptor } from "@talos-ts/oci";
import type { Lease } from "../containerd/lease.ts";
import type { ContainerdServices } from "../containerd/client.ts";

/** Snapshotter of the layers of a container. */
export const snapshotter = "overlayfs";

/** A layer of an image and its name in the snapshotter. */
export interface LayerOfChain {
  readonly descriptor: Descriptor;
  /** Digest of the layer without compression. */
  readonly diffId: string;
  readonly chainId: string;
  /** Name of what is below; empty for the lowest. */
  readonly parent: string;
}

/** Layers with their names, bottom first. @throws data-loss when manifest and configuration disagree */
export function layerChain(layers: readonly Descriptor[], diffIds: readonly string[]): readonly LayerOfChain[] {
  if (layers.length !== diffIds.length) {
    throw new OsError({
      kind: "data-loss",
      code: "image/layers-differ",
      message: `mismatched image rootfs and manifest layers: ${String(diffIds.length)} and ${String(layers.length)}`,
    });
  }
  const chain = chainIds(diffIds);
  return layers.map((descriptor, index) => ({
    descriptor,
    diffId: diffIds[index] ?? "",
    chainId: chain[index] ?? "",
    parent: chain[index - 1] ?? "",
  }));
}

/** Reports whether the snapshotter has the layers up to this name. */
export async function isUnpacked({ snapshots }: ContainerdServices, chainId: string): Promise<boolean> {
  try {
    await snapshots.stat({ snapshotter, key: chainId });
    return true;
  } catch (err) {
    if (isKind(err, "not-found")) return false;
    throw err;
  }
}

/** The layers that are still to be fetched and unpacked: those above the highest one that is there. That one joins the lease. */
export async function missingLayers(lease: Lease, chain: readonly LayerOfChain[]): Promise<readonly LayerOfChain[]> {
  for (let index = chain.length - 1; index >= 0; index -= 1) {
    const chainId = chain[index]?.chainId ?? "";
    if (!(await isUnpacked(lease.services, chainId))) continue;
    await lease.services.leases.addResource({
      id: lease.id,
      resource: { id: chainId, type: `snapshots/${snapshotter}` },
    });
    return chain.slice(index + 1);
  }
  return chain;
}

/** Unpacks one layer on top of those below it. */
export async function unpackLayer(
  services: ContainerdServices,
  layer: LayerOfChain,
  signal?: AbortSignal,
): Promise<void> {
  const { snapshots, diff } = services;
  const options = signal === undefined ? {} : { signal };
  const key = `extract-${randomUUID()} ${layer.chainId}`;
  const { mounts } = await snapshots.prepare({ snapshotter, key, parent: layer.parent }, options);
  try {
    const { mediaType, digest, size } = layer.descriptor;
    const { applied } = await diff.apply({ diff: { mediaType, digest, size: BigInt(size) }, mounts }, options);
    if (applied?.digest !== layer.diffId) {
      const message = `wrong diff id calculated on extraction of layer ${digest}: expected ${layer.diffId}, got ${String(applied?.digest)}`;
      throw new OsError({ kind: "data-loss", code: "image/wrong-diff-id", message });
    }
    await snapshots.commit({ snapshotter, key, name: layer.chainId }, options);
  } catch (err) {
    await snapshots.remove({ snapshotter, key }).catch(() => undefined);
    // Somebody else unpacked the same layer meanwhile.
    if (!isKind(err, "already-exists")) throw err;
  }
}
