import { describeError } from "@talos-ts/base";
import { reconcileController, shared, type Controller } from "@talos-ts/cosi";
import { PlatformConfig } from "@talos-ts/machinery/resources/network";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";
import { loadPlatformConfig } from "./internal/platform-config-file.ts";

const name = "network.PlatformConfigLoadController";

/** Shows, once in a boot, what the platform said in the last one; a damaged file is as good as none. */
export function platformConfigLoadController({ root }: { readonly root: string }): Controller {
  let loaded = false;
  const reading = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    readOnly: true,
    root,
    async work(path, context) {
      try {
        const spec = await loadPlatformConfig(path);
        if (spec !== undefined) await context.modify(PlatformConfig, PlatformConfig.ids.cached, () => spec);
      } catch (err) {
        context.logger.warn("ignored failure loading cached platform network config", { error: describeError(err) });
      }
    },
  });

  return reconcileController({
    name,
    inputs: [...mountedVolumeInputs(name, systemVolumes.state)],
    outputs: [...mountedVolumeOutputs, shared(PlatformConfig)],
    async reconcile(context) {
      if (!loaded) loaded = (await reading.step(context)) !== undefined;
    },
  });
}
