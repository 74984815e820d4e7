import {
  exclusive,
  reconcileController,
  strong,
  weak,
  type Controller,
  type ControllerContext,
  type Resource,
} from "@talos-ts/cosi";
import { MountStatus, VolumeMountStatus, type MountStatusSpec } from "@talos-ts/machinery/resources/block";

const name = "block.MountStatusController";
/** Says which mount a status was made from. */
const mountLabel = "mount-status-id";

/** Answers everybody who wants a volume mounted, each with a status of its own to hold on to. */
export function volumeMountStatusController(): Controller {
  return reconcileController({
    name,
    inputs: [strong(MountStatus), weak(VolumeMountStatus)],
    outputs: [exclusive(VolumeMountStatus)],
    async reconcile(context) {
      for (const mount of await context.list(MountStatus)) {
        if (mount.metadata.phase === "running") await answer(context, mount);
        else await withdraw(context, mount);
      }
    },
  });
}

async function answer(context: ControllerContext, { metadata, spec }: Resource<MountStatusSpec>): Promise<void> {
  if (!metadata.finalizers.includes(name)) await context.addFinalizer(metadata, name);
  const { requesterIDs, requesters, volumeID, readOnly, disableAccessTime, secure } = spec.spec;
  for (const present of await answersTo(context, metadata.id)) {
    if (!requesterIDs.includes(present.metadata.id)) await context.remove(present.metadata);
  }
  for (const [index, id] of requesterIDs.entries()) {
    const status = VolumeMountStatus.spec({
      volumeID,
      requester: requesters[index] ?? "",
      target: spec.target,
      readOnly,
      detached: spec.detached,
      disableAccessTime,
      secure,
    });
    await context.put(VolumeMountStatus, id, () => status, { labels: { [mountLabel]: metadata.id } });
  }
}

async function withdraw(context: ControllerContext, { metadata }: Resource): Promise<void> {
  const gone: boolean[] = [];
  for (const present of await answersTo(context, metadata.id)) gone.push(await context.remove(present.metadata));
  if (gone.every(Boolean) && metadata.finalizers.includes(name)) await context.removeFinalizer(metadata, name);
}

async function answersTo(context: ControllerContext, mount: string): Promise<readonly Resource[]> {
  const all = await context.list(VolumeMountStatus);
  return all.filter(({ metadata }) => metadata.labels[mountLabel] === mount);
}
