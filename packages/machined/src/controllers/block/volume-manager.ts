import {
  exclusive,
  pointerTo,
  reconcileController,
  destroyReady,
  strong,
  type Controller,
  type ControllerContext,
  type Resource,
} from "@talos-ts/cosi";
import { OsError } from "@talos-ts/base";
import {
  VolumeConfig,
  VolumeLifecycle,
  VolumeStatus,
  type VolumeConfigSpec,
} from "@talos-ts/machinery/resources/block";

const name = "block.VolumeManagerController";

/** Volumes that are ready as soon as they are wanted: whoever mounts them makes them. */
const madeByMounting: ReadonlySet<string> = new Set(["directory", "symlink"]);

/**
 * Brings volumes from wish to readiness. A volume whose wish goes away, or all of them once the lifecycle ends, is let go
 * when nobody has it mounted any more.
 */
export function volumeManagerController(): Controller {
  return reconcileController({
    name,
    inputs: [strong(VolumeConfig), strong(VolumeLifecycle), destroyReady(VolumeStatus)],
    outputs: [exclusive(VolumeStatus)],
    async reconcile(context) {
      const lifecycle = await context.find(VolumeLifecycle, VolumeLifecycle.id);
      if (lifecycle !== undefined) await hold(context, lifecycle);
      // Others that hold the lifecycle still have something to write.
      const closing =
        lifecycle?.metadata.phase === "tearingDown" && lifecycle.metadata.finalizers.every((holder) => holder === name);
      for (const config of await context.list(VolumeConfig)) {
        if (closing || config.metadata.phase === "tearingDown") await close(context, config);
        else await open(context, config);
      }
      if (!closing) return;
      const left = await context.list(VolumeStatus);
      if (left.length === 0) await context.removeFinalizer(lifecycle.metadata, name);
    },
  });
}

async function hold(context: ControllerContext, { metadata }: Resource): Promise<void> {
  if (metadata.phase === "running" && !metadata.finalizers.includes(name)) await context.addFinalizer(metadata, name);
}

async function open(context: ControllerContext, config: Resource<VolumeConfigSpec>): Promise<void> {
  await hold(context, config);
  const { metadata, spec } = config;
  await context.put(VolumeStatus, metadata.id, () => statusOf(metadata.id, spec), { labels: metadata.labels });
}

async function close(context: ControllerContext, config: Resource<VolumeConfigSpec>): Promise<void> {
  const gone = await context.remove(pointerTo(VolumeStatus, config.metadata.id));
  if (gone && config.metadata.phase === "tearingDown") await context.removeFinalizer(config.metadata, name);
}

function statusOf(id: string, config: VolumeConfigSpec) {
  const common = { type: config.type, parentID: config.parentId, mountSpec: config.mount, symlink: config.symlink };
  if (madeByMounting.has(config.type)) return VolumeStatus.spec({ ...common, phase: "ready" });
  const error = new OsError({
    kind: "unimplemented",
    code: "volume/unsupported-type",
    message: `Cannot create volume "${id}": type "${config.type}" needs a block device, and this machine has none`,
  });
  return VolumeStatus.spec({ ...common, phase: "failed", preFailPhase: "waiting", errorMessage: error.message });
}
