import { document } from "../schema/document.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property, object } from "../schema/type.ts";
import { requireVolumeName } from "./shared/rules.ts";

const volumeSelector = object("block.VolumeSelector", "Chooses a volume.", {
  match: property(string(), "CEL expression over volume and disk that is true for the volume.", {
    example: 'volume.partition_label == "MY-DATA"',
  }),
});

const discovery = object("block.VolumeDiscoverySpec", "How the volume is found.", {
  volumeSelector: property(volumeSelector, "Chooses the volume.", { inlineStruct: true }),
});

const mount = object("block.ExistingMountSpec", "How the volume is mounted.", {
  readOnly: property(boolean, "Mounts for reading only."),
  disableAccessTime: property(boolean, "Leaves access times alone."),
  secure: property(boolean, "Mounts without devices and set-id bits.", { default: "true" }),
});

export const existingVolumeConfig = document({
  kind: "ExistingVolumeConfig",
  schemaName: "block.ExistingVolumeConfigV1Alpha1",
  doc: "A volume that is already there, mounted at /var/mnt/NAME.",
  name: "Name of the volume; letters, digits and hyphens.",
  nameOptional: true,
  conflictsWith: ["UserVolumeConfig"],
  fields: {
    discovery: property(discovery, "How the volume is found.", { inlineStruct: true }),
    mount: property(mount, "How the volume is mounted.", { inlineStruct: true }),
  },
  validate: (volume, check) => {
    requireVolumeName(volume, check, false);
    const match = volume.discovery?.volumeSelector?.match;
    const path = ["discovery", "volumeSelector", "match"];
    if (match === undefined) check.error(path, "volume selector is required");
    else check.expression(path, match, "volume", "volume selector is invalid");
  },
});
