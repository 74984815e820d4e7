import { systemVolumes } from "../../constants/index.ts";
import { document } from "../schema/document.ts";
import { boolean } from "../schema/scalars.ts";
import { property, object } from "../schema/type.ts";
import { encryption, validateEncryption } from "./shared/encryption.ts";
import { provisioning, validateProvisioning } from "./shared/volume.ts";

const mount = object("block.MountSpec", "How the volume is mounted.", {
  secure: property(boolean, "Mounts without devices, programs and set-id bits.", { default: "true" }),
});

const names: readonly string[] = Object.values(systemVolumes);
const legacySections: Readonly<Record<string, "state" | "ephemeral">> = {
  [systemVolumes.state]: "state",
  [systemVolumes.ephemeral]: "ephemeral",
};

export const volumeConfig = document({
  kind: "VolumeConfig",
  schemaName: "block.VolumeConfigV1Alpha1",
  doc: "Where a volume of the system itself is and how it is encrypted.",
  name: "Name of the volume: STATE, EPHEMERAL or IMAGECACHE.",
  nameOptional: true,
  fields: {
    provisioning: property(provisioning, "How the volume is made.", { inlineStruct: true }),
    encryption: property(encryption, "Encryption of the volume.", { inlineStruct: true }),
    mount: property(mount, "How the volume is mounted.", { inlineStruct: true }),
  },
  validate: (volume, check) => {
    const { name = "" } = volume;
    if (!names.includes(name)) {
      return check.error(["name"], `only ${JSON.stringify(names).replaceAll(",", " ")} volumes are supported`);
    }
    if (name === systemVolumes.state) {
      if (volume.provisioning !== undefined) {
        check.error(["provisioning"], `provisioning config is not allowed for the "STATE" volume`);
      }
      for (const [index, key] of (volume.encryption?.keys ?? []).entries()) {
        if (key.lockToState !== true) continue;
        check.error(["encryption", "keys", index], `state-locked key is not allowed for the "STATE" volume`);
      }
    }
    validateProvisioning(volume.provisioning, { required: false, sized: true }, check);
    validateEncryption(volume.encryption, check);
    const section = legacySections[name];
    const legacy = section === undefined ? undefined : check.main?.machine?.systemDiskEncryption?.[section];
    if (volume.encryption !== undefined && legacy !== undefined) {
      check.conflict(
        ["encryption"],
        `system disk encryption for ${JSON.stringify(name)} is configured in both v1alpha1.Config and VolumeConfig`,
      );
    }
  },
});
