import { bytes, defineResource, field, type SpecOf } from "../dsl/index.ts";

/** Salt of disk encryption keys, kept on the STATE volume. */
export const EncryptionSalt = defineResource({
  type: "EncryptionSalts.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "salt",
  spec: {
    diskSalt: field(1, bytes),
  },
});

export type EncryptionSaltSpec = SpecOf<typeof EncryptionSalt>;
