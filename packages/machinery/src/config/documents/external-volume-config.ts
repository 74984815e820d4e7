import { document } from "../schema/document.ts";
import { boolean, choice, string } from "../schema/scalars.ts";
import { property, object } from "../schema/type.ts";
import { requireVolumeName } from "./shared/rules.ts";

const filesystems = ["none", "xfs", "vfat", "ext4", "iso9660", "swapi", "virtiofs"] as const;

const virtiofs = object("block.VirtiofsMountSpec", "A directory shared by the hypervisor.", {
  tag: property(string(), "Tag of the share.", { always: true, example: "Data" }),
});

const mount = object("block.ExternalMountSpec", "How the volume is mounted.", {
  readOnly: property(boolean, "Mounts for reading only."),
  disableAccessTime: property(boolean, "Leaves access times alone."),
  secure: property(boolean, "Mounts without devices, programs and set-id bits.", { default: "true" }),
  virtiofs: property(virtiofs, "A directory shared by the hypervisor."),
});

export const externalVolumeConfig = document({
  kind: "ExternalVolumeConfig",
  schemaName: "block.ExternalVolumeConfigV1Alpha1",
  doc: "A volume provided from outside the machine, mounted at /var/mnt/NAME.",
  name: "Name of the volume; letters, digits and hyphens, at most 34.",
  nameOptional: true,
  fields: {
    filesystemType: property(
      choice("FilesystemType", filesystems, { zero: "none", json: { enum: ["virtiofs"] } }),
      "Kind of file system.",
      { always: true },
    ),
    mount: property(mount, "How the volume is mounted.", { inlineStruct: true }),
  },
  validate: (volume, check) => {
    requireVolumeName(volume, check);
    if (volume.filesystemType !== "virtiofs") {
      return check.error(["filesystemType"], `invalid filesystem type: ${volume.filesystemType ?? "none"}`);
    }
    const share = volume.mount?.virtiofs;
    if (share === undefined) check.error(["mount"], "virtiofs mount spec is required");
    else if (share.tag === undefined) check.error(["mount", "virtiofs", "tag"], "virtiofs tag is required");
  },
});
