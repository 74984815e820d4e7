import { createResource, reduceController, shared, type Controller, type Resource } from "@talos-ts/cosi";
import { documentsOf, userVolumeConfig } from "@talos-ts/machinery/config";
import { VolumeConfig, VolumeMountRequest } from "@talos-ts/machinery/resources/block";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

const name = "block.UserVolumeConfigController";
/** Volume that user volumes lie in, and its path. */
const parentId = "/var/mnt";
const label = { "talos.dev/user-volume": "" } as const;

/**
 * Volumes of the configuration that are directories (`UserVolumeConfig` with `volumeType: directory`), and the wish to have them mounted
 * below `/var/mnt`. A volume that is removed from the configuration keeps its files.
 */
export function userVolumeConfigController(): Controller {
  return reduceController({
    name,
    inputs: [activeConfigInput],
    outputs: [shared(VolumeConfig), shared(VolumeMountRequest)],
    async reduce(context) {
      const config = await activeConfig(context);
      const documents = config === undefined ? [] : documentsOf(config, userVolumeConfig);
      const names = documents.flatMap(({ volumeType, name: volume = "" }) =>
        volumeType === "directory" ? [volume] : [],
      );
      if (names.length === 0) return [];
      return [mountRequest(parentId), ...names.flatMap(directoryVolume)];
    },
  });
}

function directoryVolume(volume: string): readonly Resource[] {
  const id = `u-${volume}`;
  const spec = VolumeConfig.spec({
    type: "directory",
    mount: { targetPath: volume, parentId, selinuxLabel: "system_u:object_r:ephemeral_t:s0", fileMode: 0o755 },
  });
  return [createResource(VolumeConfig, id, spec, { labels: label }), mountRequest(id, label)];
}

function mountRequest(volumeID: string, labels = {}): Resource {
  const spec = VolumeMountRequest.spec({ volumeID, requester: name });
  return createResource(VolumeMountRequest, volumeID, spec, { labels });
}
