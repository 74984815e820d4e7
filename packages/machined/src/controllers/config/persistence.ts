import { join } from "node:path";
import { writeDurably } from "@talos-ts/host";
import { reconcileController, strong, weak, type Controller, type Resource } from "@talos-ts/cosi";
import { VolumeLifecycle, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";

const name = "config.PersistenceController";

/** Writes the configuration for the next boot to the STATE volume, and keeps the volumes from closing before it did. */
export function persistenceController({ root }: { readonly root: string }): Controller {
  /** What waits to be written, and the version that was written last. */
  let pending: Resource<string> | undefined;
  let writtenVersion = 0;

  const writing = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    async work(path, context) {
      const config = pending;
      if (config === undefined) return;
      await writeDurably(join(path, "config.yaml"), config.spec, 0o600);
      writtenVersion = config.metadata.version;
      pending = undefined;
      context.logger.info("machine configuration persisted to STATE");
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
    outputs: [...mountedVolumeOutputs],
    async reconcile(context) {
      const lifecycle = await context.find(VolumeLifecycle, VolumeLifecycle.id);
      if (lifecycle === undefined) return;
      const { phase, finalizers } = lifecycle.metadata;
      if (phase === "running" && !finalizers.includes(name)) await context.addFinalizer(lifecycle.metadata, name);

      const config = await context.find(MachineConfig, MachineConfig.ids.persistent);
      if (config !== undefined && config.metadata.version !== writtenVersion) pending = config;
      if (pending !== undefined || writing.busy) {
        if ((await writing.step(context)) !== undefined) context.queueReconcile();
      }

      if (phase !== "tearingDown" || !finalizers.includes(name)) return;
      const missing = (await context.find(VolumeStatus, systemVolumes.state))?.spec.phase === "missing";
      if ((pending === undefined && !writing.busy) || missing) await context.removeFinalizer(lifecycle.metadata, name);
    },
  });
}
