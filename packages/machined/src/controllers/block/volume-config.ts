import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { VolumeConfig } from "@talos-ts/machinery/resources/block";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { containerVolumes, machineVolumes } from "./internal/system-volumes.ts";

/** Label of volumes that the system itself needs. */
const systemLabel = { "talos.dev/system-volume": "" } as const;

/** The volumes a node should have: the one for its state at once, all others with the configuration. */
export function volumeConfigController(machine: { readonly platform: { readonly mode: PlatformMode } }): Controller {
  const volumes = machine.platform.mode === "container" ? containerVolumes : machineVolumes;
  return reduceController({
    name: "block.VolumeConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(VolumeConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      return volumes(config?.machine !== undefined).map(({ id, spec }) =>
        createResource(VolumeConfig, id, spec, { labels: systemLabel }),
      );
    },
  });
}
