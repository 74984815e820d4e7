import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { DiscoveredVolume, SystemDisk } from "@talos-ts/machinery/resources/block";
import { systemVolumes } from "@talos-ts/machinery/constants";

/** Publishes the disk that the system is installed on: the one with a META partition. */
export function systemDiskController(): Controller {
  return reduceController({
    name: "block.SystemDiskController",
    inputs: [weak(DiscoveredVolume)],
    outputs: [exclusive(SystemDisk)],
    async reduce(context) {
      const volumes = await context.list(DiscoveredVolume);
      const meta = volumes.find(({ spec }) => spec.partitionLabel === systemVolumes.meta && spec.parent !== "");
      if (meta === undefined) return [];
      const spec = SystemDisk.spec({ diskID: meta.spec.parent, devPath: meta.spec.parentDevPath });
      return [createResource(SystemDisk, SystemDisk.id, spec)];
    },
  });
}
