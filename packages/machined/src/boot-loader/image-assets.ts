import { randomUUID } from "node:crypto";
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { OsError, type Clock } from "@talos-ts/base";
import type { Mounts } from "@talos-ts/linux";
import { bootAssetPaths } from "@talos-ts/machinery/boot-assets";
import { createLease } from "../containerd/lease.ts";
import { ignoreAbsent } from "../containerd/ignore-absent.ts";
import type { ImageStore } from "../images/image-store.ts";
import type { ImageNamespace } from "../images/namespaces.ts";
import { snapshotter } from "../images/unpack.ts";
import { bootArchitecture, readAssets, type BootAssets } from "./boot-assets.ts";

export interface ImageAssetsOptions {
  readonly images: Pick<ImageStore, "connect" | "find" | "pull">;
  readonly mounts: Pick<Mounts, "mount" | "unmount" | "bind">;
  readonly clock: Clock;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

export interface OpenImageOptions {
  readonly namespace: ImageNamespace;
  readonly tell: (message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Opens the boot assets of an installer image, which is pulled unless it is here.
 *
 * @throws OsError `boot/no-assets`, `boot/bad-manifest`, `boot/other-architecture`; `failed to pull image "…": …`
 */
export async function openImageAssets(
  machine: ImageAssetsOptions,
  reference: string,
  { namespace, tell, signal }: OpenImageOptions,
): Promise<BootAssets> {
  if (reference === "") throw noImage();
  let image = await machine.images.find(reference, namespace);
  if (image === undefined) {
    tell(`pulling ${reference}`);
    image = await machine.images.pull(reference, { namespace, ...(signal && { signal }) });
  }
  const from = `image "${image.name}"`;
  await using cleanup = new AsyncDisposableStack();
  const client = cleanup.use(machine.images.connect(namespace));
  const lease = cleanup.use(await createLease(client, "install", machine.clock));
  const key = `install-${randomUUID()}`;
  cleanup.defer(() => ignoreAbsent(() => client.snapshots.remove({ snapshotter, key })));
  const view = await lease.services.snapshots.view({ snapshotter, key, parent: image.chainId });
  const target = `${machine.root}/run/${key}`;
  await mkdir(target, { recursive: true, mode: 0o700 });
  cleanup.defer(() => rmdir(target));
  for (const { type, source, options } of view.mounts) {
    // A single layer is shown as it is, several are laid over each other.
    if (type === "bind") await machine.mounts.bind(source, target, { options: ["ro"] });
    else await machine.mounts.mount({ source, target, type, options });
    cleanup.defer(() => machine.mounts.unmount(target));
  }
  const { folder, manifest } = bootAssetPaths.image(bootArchitecture());
  const assets = await readAssets(join(target, folder), manifest, from);
  const owned = cleanup.move();
  return { ...assets, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

function noImage(): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "boot/no-image",
    message: "Cannot install: the request names no installer image",
    next: "talosctl upgrade --image <installer image>",
  });
}
