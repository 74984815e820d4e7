import { document } from "../schema/document.ts";
import { boolean, choice } from "../schema/scalars.ts";
import { property, object, type Infer } from "../schema/type.ts";
import type { Check } from "../validate/check.ts";
import { encryption, validateEncryption } from "./shared/encryption.ts";
import { requireVolumeName } from "./shared/rules.ts";
import { provisioning, validateProvisioning } from "./shared/volume.ts";

const types = ["partition", "disk", "directory", "tmpfs", "symlink", "overlay", "external"] as const;
const filesystems = ["none", "xfs", "vfat", "ext4", "iso9660", "swapi", "virtiofs"] as const;

const filesystem = object("block.FilesystemSpec", "The file system of the volume.", {
  type: property(
    choice("FilesystemType", filesystems, { zero: "none", json: { enum: ["ext4", "xfs"] } }),
    "Kind of file system.",
    {
      default: "xfs",
    },
  ),
  projectQuotaSupport: property(boolean, "Whether project quotas are available; only for xfs."),
});

const mount = object("block.UserMountSpec", "How the volume is mounted.", {
  disableAccessTime: property(boolean, "Leaves access times alone."),
  secure: property(boolean, "Mounts without devices and set-id bits.", { default: "true" }),
});

export const userVolumeConfig = document({
  kind: "UserVolumeConfig",
  schemaName: "block.UserVolumeConfigV1Alpha1",
  doc: "A volume for workloads, mounted at /var/mnt/NAME.",
  name: "Name of the volume; letters, digits and hyphens, at most 34.",
  nameOptional: true,
  conflictsWith: ["ExistingVolumeConfig"],
  fields: {
    volumeType: property(
      choice("VolumeType", types, { json: { enum: ["directory", "disk", "partition"] } }),
      "What the volume is made of.",
      { default: "partition" },
    ),
    provisioning: property(provisioning, "How the volume is made.", { inlineStruct: true }),
    filesystem: property(filesystem, "The file system of the volume.", { inlineStruct: true }),
    encryption: property(encryption, "Encryption of the volume.", { inlineStruct: true }),
    mount: property(mount, "How the volume is mounted.", { inlineStruct: true }),
  },
  validate: (volume, check) => {
    requireVolumeName(volume, check);
    const type = volume.volumeType ?? "partition";
    if (type === "directory") {
      for (const part of ["provisioning", "encryption", "filesystem", "mount"] as const) {
        if (volume[part] !== undefined) check.error([part], `${part} spec is invalid for volumeType directory`);
      }
    } else if (type === "disk" || type === "partition") {
      validateProvisioning(volume.provisioning, { required: true, sized: type === "partition" }, check);
      validateFilesystem(volume.filesystem, check);
      validateEncryption(volume.encryption, check);
    } else check.error(["volumeType"], `unsupported volume type ${JSON.stringify(type)}`);
  },
});

function validateFilesystem(spec: Infer<typeof filesystem> | undefined, check: Check): void {
  const type = spec?.type ?? "xfs";
  if (type !== "xfs" && type !== "ext4") check.error(["filesystem", "type"], `unsupported filesystem type: ${type}`);
  else if (spec?.projectQuotaSupport === true && type !== "xfs") {
    check.error(["filesystem"], "project quota support is only available for xfs filesystem");
  }
}
