import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { MountStatus, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { RuntimeMountStatus } from "@talos-ts/machinery/resources/runtime";

/** Mounted disks and partitions in the form that older clients ask for. Directories never were part of it. */
export function legacyMountStatusController(): Controller {
  return reduceController({
    name: "runtime.MountStatusController",
    inputs: [weak(MountStatus), weak(VolumeStatus)],
    outputs: [exclusive(RuntimeMountStatus)],
    async reduce(context) {
      const volumes = new Map((await context.list(VolumeStatus)).map(({ metadata, spec }) => [metadata.id, spec]));
      const mounts = await context.list(MountStatus);
      return mounts.flatMap(({ spec: { spec, source, target } }) => {
        const volume = volumes.get(spec.volumeID);
        if (volume === undefined || (volume.type !== "partition" && volume.type !== "disk")) return [];
        const legacy = RuntimeMountStatus.spec({
          source,
          target,
          filesystemType: volume.filesystem,
          encrypted: volume.encryptionProvider !== "none",
          encryptionProviders: volume.configuredEncryptionKeys,
        });
        return [createResource(RuntimeMountStatus, spec.volumeID, legacy)];
      });
    },
  });
}
