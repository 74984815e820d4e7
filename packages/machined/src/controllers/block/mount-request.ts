import { exclusive, reconcileController, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import {
  MountRequest,
  VolumeMountRequest,
  VolumeStatus,
  type MountRequestSpec,
  type VolumeStatusSpec,
} from "@talos-ts/machinery/resources/block";

/** One mount for everybody who wants a volume: read-only and detached if all want it so, restricted if one does. */
export function mountRequestController(): Controller {
  return reconcileController({
    name: "block.MountRequestController",
    inputs: [weak(VolumeMountRequest), weak(VolumeStatus), weak(MountRequest)],
    outputs: [exclusive(MountRequest)],
    async reconcile(context) {
      const wanted = await collapse(context);
      for (const { metadata } of await context.list(MountRequest)) {
        if (!wanted.has(metadata.id)) await context.remove(metadata);
      }
      for (const [id, spec] of wanted) await context.put(MountRequest, id, () => spec);
    },
  });
}

async function collapse(context: ControllerContext): Promise<ReadonlyMap<string, MountRequestSpec>> {
  const ready = new Map<string, VolumeStatusSpec>(
    (await context.list(VolumeStatus))
      .filter(({ metadata, spec }) => metadata.phase === "running" && spec.phase === "ready")
      .map(({ metadata, spec }) => [metadata.id, spec]),
  );
  const wanted = new Map<string, MountRequestSpec>();
  for (const { metadata, spec } of await context.list(VolumeMountRequest)) {
    const volume = ready.get(spec.volumeID);
    if (volume === undefined || metadata.phase !== "running") continue;
    const before = wanted.get(spec.volumeID);
    wanted.set(spec.volumeID, {
      volumeID: spec.volumeID,
      parentID: volume.mountSpec.parentId,
      readOnly: spec.readOnly && (before?.readOnly ?? true),
      detached: spec.detached && (before?.detached ?? true),
      disableAccessTime: spec.disableAccessTime || (before?.disableAccessTime ?? false),
      secure: spec.secure || (before?.secure ?? false),
      requesters: [...(before?.requesters ?? []), spec.requester],
      requesterIDs: [...(before?.requesterIDs ?? []), metadata.id],
    });
  }
  return wanted;
}
