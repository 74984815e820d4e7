import { join } from "node:path";
import { describeError } from "@talos-ts/base";
import { writeDurably } from "@talos-ts/host";
import {
  exclusive,
  reconcileController,
  strong,
  weak,
  type Controller,
  type ControllerContext,
  type Resource,
} from "@talos-ts/cosi";
import { VolumeLifecycle, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { ConfigPersistStatus, MachineConfig } from "@talos-ts/machinery/resources/config";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { sealConfig } from "../../config/config-file.ts";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";

const name = "config.PersistenceController";

/**
 * Writes the configuration for the next boot to the STATE volume, tells in `ConfigPersistStatus` how that went, and keeps the
 * volumes from closing before it did.
 */
export function persistenceController({ root }: { readonly root: string }): Controller {
  /** Resource that waits to be written, and the version and text that were written last. */
  let pending: Resource<string> | undefined;
  let writtenVersion = 0;
  let writtenText: string | undefined;

  async function tell(context: ControllerContext, failed = 0, error = ""): Promise<void> {
    const spec = ConfigPersistStatus.spec({ written: writtenVersion, failed, error });
    await context.modify(ConfigPersistStatus, ConfigPersistStatus.id, () => spec);
  }

  /** A configuration that could not be written was taken back: its successor counts versions anew. The reason stays to be seen. */
  async function forget(context: ControllerContext): Promise<void> {
    pending = undefined;
    writtenVersion = 0;
    const told = await context.find(ConfigPersistStatus, ConfigPersistStatus.id);
    if (told !== undefined && told.spec.failed !== 0) await tell(context, 0, told.spec.error);
  }

  const writing = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    async work(path, context) {
      const config = pending;
      if (config === undefined) return;
      const { version } = config.metadata;
      // A text that is on disk already was put back after one that could not be written: the reason stays to be seen.
      const putBack = config.spec === writtenText;
      const { error = "" } = (await context.find(ConfigPersistStatus, ConfigPersistStatus.id))?.spec ?? {};
      if (!putBack) {
        try {
          await writeDurably(join(path, "config.yaml"), sealConfig(config.spec), 0o600);
        } catch (err) {
          await tell(context, version, describeError(err));
          throw err;
        }
        context.logger.info("machine configuration persisted to STATE");
      }
      writtenVersion = version;
      writtenText = config.spec;
      pending = undefined;
      await tell(context, 0, putBack ? error : "");
    },
  });

  return reconcileController({
    name,
    inputs: [
      weak(MachineConfig, { id: MachineConfig.ids.persistent }),
      weak(VolumeStatus, { id: systemVolumes.state }),
      strong(VolumeLifecycle, { id: VolumeLifecycle.id }),
      ...mountedVolumeInputs(name, systemVolumes.state),
    ],
    outputs: [exclusive(ConfigPersistStatus), ...mountedVolumeOutputs],
    async reconcile(context) {
      const lifecycle = await context.find(VolumeLifecycle, VolumeLifecycle.id);
      if (lifecycle === undefined) return;
      const { phase, finalizers } = lifecycle.metadata;
      if (phase === "running" && !finalizers.includes(name)) await context.addFinalizer(lifecycle.metadata, name);

      const config = await context.find(MachineConfig, MachineConfig.ids.persistent);
      if (config === undefined) await forget(context);
      else if (config.metadata.version !== writtenVersion) pending = config;
      if (pending !== undefined || writing.busy) {
        if ((await writing.step(context)) !== undefined) context.queueReconcile();
      }

      if (phase !== "tearingDown" || !finalizers.includes(name)) return;
      const missing = (await context.find(VolumeStatus, systemVolumes.state))?.spec.phase === "missing";
      if ((pending === undefined && !writing.busy) || missing) await context.removeFinalizer(lifecycle.metadata, name);
    },
  });
}
