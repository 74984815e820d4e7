import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { VolumeConfig } from "@talos-ts/machinery/resources/block";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { containerVolumes } from "./internal/system-volumes.ts";

/** Label of volumes that the system itself needs. */
const systemLabel = { "talos.dev/system-volume": "" } as const;

/** The volumes a node should have: the one for its state at once, all others with the configuration. */
export function volumeConfigController(): Controller {
  return reduceController({
    name: "block.VolumeConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(VolumeConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      return containerVolumes(config?.machine !== undefined).map(({ id, spec }) =>
        createResource(VolumeConfig, id, spec, { labels: systemLabel }),
      );
    },
  });
}
