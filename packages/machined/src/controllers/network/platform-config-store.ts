import { equalSpecs, reconcileController, strong, type Controller } from "@talos-ts/cosi";
import { PlatformConfig, type PlatformConfigSpec } from "@talos-ts/machinery/resources/network";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";
import { storePlatformConfig } from "./internal/platform-config-file.ts";

const name = "network.PlatformConfigStoreController";

/** Keeps what the platform says on the STATE volume, so that the next boot need not wait for the platform. */
export function platformConfigStoreController({ root }: { readonly root: string }): Controller {
  /** Spec that waits to be written, and the one that was written last. */
  let pending: PlatformConfigSpec | undefined;
  let stored: PlatformConfigSpec | undefined;
  const writing = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    async work(path, context) {
      if (pending === undefined) return;
      await storePlatformConfig(path, pending);
      [stored, pending] = [pending, undefined];
      context.logger.debug("stored active platform network config");
    },
  });

  return reconcileController({
    name,
    inputs: [
      strong(PlatformConfig, { id: PlatformConfig.ids.active }),
      ...mountedVolumeInputs(name, systemVolumes.state),
    ],
    outputs: [...mountedVolumeOutputs],
    async reconcile(context) {
      const active = await context.find(PlatformConfig, PlatformConfig.ids.active);
      if (active !== undefined && !(stored !== undefined && equalSpecs(active.spec, stored))) pending = active.spec;
      if (pending === undefined && !writing.busy) return;
      if ((await writing.step(context)) !== undefined) context.queueReconcile();
    },
  });
}
