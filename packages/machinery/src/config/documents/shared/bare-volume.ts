import { document, type DocumentInit } from "../../schema/document.ts";
import { property } from "../../schema/type.ts";
import { encryption, validateEncryption } from "./encryption.ts";
import { requireVolumeName } from "./rules.ts";
import { provisioning, validateProvisioning } from "./volume.ts";

const fields = {
  provisioning: property(provisioning, "How the volume is made.", { inlineStruct: true }),
  encryption: property(encryption, "Encryption of the volume.", { inlineStruct: true }),
};

/** A volume that is a partition and nothing more: no file system, no mount. */
export const bareVolume = (head: Pick<DocumentInit<typeof fields>, "kind" | "schemaName" | "doc">) =>
  document({
    ...head,
    name: "Name of the volume; letters, digits and hyphens, at most 34.",
    nameOptional: true,
    fields,
    validate: (volume, check) => {
      requireVolumeName(volume, check);
      validateProvisioning(volume.provisioning, { required: true, sized: true }, check);
      validateEncryption(volume.encryption, check);
    },
  });
