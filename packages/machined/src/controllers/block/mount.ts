import { join } from "node:path";
import {
  exclusive,
  pointerTo,
  reconcileController,
  strong,
  type Controller,
  type ControllerContext,
  type Resource,
} from "@talos-ts/cosi";
import {
  MountRequest,
  MountStatus,
  VolumeStatus,
  type MountRequestSpec,
  type MountStatusSpec,
  type VolumeStatusSpec,
} from "@talos-ts/machinery/resources/block";
import type { Linux } from "@talos-ts/linux";
import { makeVolume, unmakeVolume, type VolumeMachine } from "./internal/make-volume.ts";

const name = "block.MountController";

interface Mount {
  readonly request: Resource<MountRequestSpec>;
  readonly volume: Resource<VolumeStatusSpec> | undefined;
  readonly status: Resource<MountStatusSpec> | undefined;
  readonly parent: Resource<MountStatusSpec> | undefined;
}

/**
 * Mounts volumes and unmounts them. While a mount lasts it holds its request, its volume and the mount it lies in; it ends
 * only when nobody holds its status.
 */
export function mountController(machine: { readonly root: string; readonly linux: Pick<Linux, "mounts"> }): Controller {
  return reconcileController({
    name,
    inputs: [strong(MountRequest), strong(VolumeStatus), strong(MountStatus)],
    outputs: [exclusive(MountStatus)],
    async reconcile(context) {
      const volumes = byId(await context.list(VolumeStatus));
      const statuses = byId(await context.list(MountStatus));
      const failures: unknown[] = [];
      const follow = async (request: Resource<MountRequestSpec>): Promise<void> => {
        const mount: Mount = {
          request,
          volume: volumes.get(request.spec.volumeID),
          status: statuses.get(request.metadata.id),
          parent: statuses.get(request.spec.parentID),
        };
        const usable = isRunning(request) && isRunning(mount.volume) && mount.volume?.spec.phase === "ready";
        const leaving = [mount.status, mount.parent].some((held) => held?.metadata.phase === "tearingDown");
        if ((!usable || leaving) && !(await unmount(context, mount, machine))) return;
        const placed = request.spec.parentID === "" || isRunning(mount.parent);
        if (usable && placed) await perform(context, mount, machine);
      };
      for (const request of await context.list(MountRequest)) {
        await follow(request).catch((err: unknown) => failures.push(err));
      }
      // A mount that fails holds up no other, one of which may be in its way; it is tried again.
      if (failures.length > 0) throw failures[0];
    },
  });
}

function byId<S>(resources: readonly Resource<S>[]): ReadonlyMap<string, Resource<S>> {
  return new Map(resources.map((resource) => [resource.metadata.id, resource]));
}

function isRunning(resource: Resource | undefined): boolean {
  return resource?.metadata.phase === "running";
}

/** A parent carries one finalizer per mount that lies in it. */
function holderName(request: Resource): string {
  return `${name}-${request.metadata.id}`;
}

async function perform(context: ControllerContext, mount: Mount, machine: VolumeMachine): Promise<void> {
  const { request, volume, parent } = mount;
  if (volume === undefined) return;
  await hold(context, request, name);
  if (parent !== undefined) await hold(context, parent, holderName(request));
  await hold(context, volume, name);
  const { mountSpec, mountLocation, filesystem, encryptionProvider } = volume.spec;
  // The target of an overlay is in the root file system; only what is written there lies in its parent.
  const inParent = volume.spec.type === "overlay" ? "/" : (parent?.spec.target ?? "/");
  const target = join(inParent, mountSpec.targetPath);
  const options = mountOptions(request.spec);
  await makeVolume(volume.spec, { target, parent: parent?.spec.target ?? "", options }, machine);
  const spec = MountStatus.spec({
    spec: request.spec,
    source: mountLocation,
    target,
    filesystem,
    encryptionProvider,
    readOnly: request.spec.readOnly,
    projectQuotaSupport: mountSpec.projectQuotaSupport,
    detached: request.spec.detached,
  });
  await context.put(MountStatus, request.metadata.id, () => spec);
}

/** Volumes of the system lie in no other, and are always mounted without devices and set-id bits. */
function mountOptions({ parentID, secure, readOnly, disableAccessTime }: MountRequestSpec): readonly string[] {
  return [
    ...(secure || parentID === "" ? ["nodev", "nosuid"] : []),
    ...(disableAccessTime ? ["noatime"] : []),
    ...(readOnly && parentID !== "" ? ["ro"] : []),
  ];
}

/** Resolves to whether the mount is over. */
async function unmount(
  context: ControllerContext,
  { request, volume, parent, status }: Mount,
  machine: VolumeMachine,
): Promise<boolean> {
  const pointer = pointerTo(MountStatus, request.metadata.id);
  if (status !== undefined) {
    // Only when nobody holds it any more.
    if (!(await context.teardown(pointer))) return false;
    if (volume !== undefined) await unmakeVolume(volume.spec, status.spec.target, machine);
  }
  if (!(await context.remove(pointer))) return false;
  if (volume !== undefined) await letGo(context, volume, name);
  if (parent !== undefined) await letGo(context, parent, holderName(request));
  await letGo(context, request, name);
  return true;
}

async function hold(context: ControllerContext, { metadata }: Resource, finalizer: string): Promise<void> {
  if (!metadata.finalizers.includes(finalizer)) await context.addFinalizer(metadata, finalizer);
}

async function letGo(context: ControllerContext, { metadata }: Resource, finalizer: string): Promise<void> {
  if (metadata.finalizers.includes(finalizer)) await context.removeFinalizer(metadata, finalizer);
}
