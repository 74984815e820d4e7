import { document } from "../schema/document.ts";
import { field } from "../schema/type.ts";
import { encryption, validateEncryption } from "./shared/encryption.ts";
import { requireVolumeName } from "./shared/rules.ts";
import { provisioning, validateProvisioning } from "./shared/volume.ts";

export const rawVolumeConfig = document({
  kind: "RawVolumeConfig",
  schemaName: "block.RawVolumeConfigV1Alpha1",
  doc: "A partition without file system, for storage software in the cluster.",
  name: "Name of the volume; letters, digits and hyphens, at most 34.",
  nameOptional: true,
  fields: {
    provisioning: field(provisioning, "How the volume is made.", { inlineStruct: true }),
    encryption: field(encryption, "Encryption of the volume.", { inlineStruct: true }),
  },
  validate: (volume, check) => {
    requireVolumeName(volume, check);
    validateProvisioning(volume.provisioning, { required: true, sized: true }, check);
    validateEncryption(volume.encryption, check);
  },
});
