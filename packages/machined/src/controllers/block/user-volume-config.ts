import { createResource, reduceController, shared, type Controller, type Resource } from "@talos-ts/cosi";
import {
  documentsOf,
  existingVolumeConfig,
  partitionSizes,
  rawVolumeConfig,
  userVolumeConfig,
  type DocumentOf,
} from "@talos-ts/machinery/config";
import { compileCel } from "@talos-ts/machinery/resources/cel";
import {
  VolumeConfig,
  VolumeMountRequest,
  type VolumeConfigSpec,
  type VolumeMountRequestSpec,
} from "@talos-ts/machinery/resources/block";
import { linuxData } from "../../disks/partition-types.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

type UserVolume = DocumentOf<typeof userVolumeConfig>;
type ExistingVolume = DocumentOf<typeof existingVolumeConfig>;
type RawVolume = DocumentOf<typeof rawVolumeConfig>;
type Provisioning = NonNullable<UserVolume["provisioning"]>;

const name = "block.UserVolumeConfigController";
/** Volume that user volumes lie in, and its path. */
const parentId = "/var/mnt";

/**
 * Volumes of the configuration: directories, partitions and disks (`UserVolumeConfig`), with the wish to have them mounted below
 * `/var/mnt`; volumes that are there already (`ExistingVolumeConfig`); partitions for storage software (`RawVolumeConfig`). A volume that is removed from the configuration keeps what
 * is on it. Volumes that are to be encrypted are not made.
 */
export function userVolumeConfigController(): Controller {
  return reduceController({
    name,
    inputs: [activeConfigInput],
    outputs: [shared(VolumeConfig), shared(VolumeMountRequest)],
    async reduce(context) {
      const config = await activeConfig(context);
      if (config === undefined) return [];
      const volumes = documentsOf(config, userVolumeConfig).filter(isPlain).flatMap(userVolume);
      const raw = documentsOf(config, rawVolumeConfig).filter(isPlain).map(rawVolume);
      const existing = documentsOf(config, existingVolumeConfig).flatMap(existingVolume);
      const mounted = [...volumes, ...existing];
      return [...(mounted.length === 0 ? [] : [mountRequest(parentId)]), ...mounted, ...raw];
    },
  });
}

function isPlain({ encryption }: Pick<UserVolume, "encryption">): boolean {
  return encryption === undefined;
}

const makers: Readonly<Record<string, (volume: UserVolume, id: string) => Partial<VolumeConfigSpec>>> = {
  directory: () => ({ type: "directory" }),
  partition: ({ provisioning, filesystem }, id) => onPartition(id, provisioning ?? {}, filesystem?.type ?? "xfs"),
  disk: ({ provisioning, filesystem }) => ({
    type: "disk",
    locator: { ...VolumeConfig.spec().locator, diskMatch: selector(provisioning) },
    provisioning: {
      ...VolumeConfig.spec().provisioning,
      wave: 0,
      diskSelector: { match: selector(provisioning), external: "" },
      filesystemSpec: { type: filesystem?.type ?? "xfs", label: "" },
    },
  }),
};

function userVolume(volume: UserVolume): readonly Resource[] {
  const { name: target = "", volumeType = "partition" } = volume;
  const id = `u-${target}`;
  const labels = { "talos.dev/user-volume": "" };
  const spec = VolumeConfig.spec({ ...makers[volumeType]?.(volume, id), mount: mountAt(target) });
  const { secure = true, disableAccessTime = false } = volume.mount ?? {};
  const how = volumeType === "directory" ? {} : { secure, disableAccessTime };
  return [createResource(VolumeConfig, id, spec, { labels }), mountRequest(id, how, labels)];
}

function existingVolume({ name: target = "", discovery, mount }: ExistingVolume): readonly Resource[] {
  const id = `e-${target}`;
  const labels = { "talos.dev/existing-volume": "" };
  const match = compileCel(discovery?.volumeSelector?.match ?? "false");
  const spec = VolumeConfig.spec({
    type: "partition",
    locator: { ...VolumeConfig.spec().locator, match },
    mount: mountAt(target),
  });
  const { readOnly = false, secure = true, disableAccessTime = false } = mount ?? {};
  return [
    createResource(VolumeConfig, id, spec, { labels }),
    mountRequest(id, { readOnly, secure, disableAccessTime }, labels),
  ];
}

function mountAt(targetPath: string) {
  return { targetPath, parentId, selinuxLabel: "system_u:object_r:ephemeral_t:s0", fileMode: 0o755 };
}

function rawVolume({ name: volume = "", provisioning = {} }: RawVolume): Resource {
  const id = `r-${volume}`;
  const spec = VolumeConfig.spec(onPartition(id, provisioning, "none"));
  return createResource(VolumeConfig, id, spec, { labels: { "talos.dev/raw-volume": "" } });
}

function onPartition(
  id: string,
  provisioning: Provisioning,
  filesystem: VolumeConfigSpec["provisioning"]["filesystemSpec"]["type"],
): Partial<VolumeConfigSpec> {
  return {
    type: "partition",
    locator: { ...VolumeConfig.spec().locator, match: compileCel(`volume.partition_label == "${id}"`) },
    provisioning: {
      wave: 0,
      diskSelector: { match: selector(provisioning), external: "" },
      partitionSpec: {
        ...partitionSizes(provisioning),
        grow: provisioning.grow ?? false,
        label: id,
        typeUUID: linuxData,
      },
      filesystemSpec: { type: filesystem, label: "" },
    },
  };
}

function selector(provisioning: Provisioning | undefined) {
  return compileCel(provisioning?.diskSelector?.match ?? "false");
}

function mountRequest(volumeID: string, how: Partial<VolumeMountRequestSpec> = {}, labels = {}): Resource {
  const spec = VolumeMountRequest.spec({ ...how, volumeID, requester: name });
  return createResource(VolumeMountRequest, volumeID, spec, { labels });
}
