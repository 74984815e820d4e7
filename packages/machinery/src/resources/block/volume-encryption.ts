import { bool, field, int64, list, message, omitEmpty, text, uint64, type ValueOf } from "../dsl/index.ts";
import { encryptionKeyType, encryptionProviderType } from "../enums/index.ts";
import { mostlyText } from "../values/index.ts";

const encryptionKey = message({
  slot: field(1, int64),
  type: field(2, encryptionKeyType),
  lockToState: omitEmpty(6, bool),
  staticPassphrase: omitEmpty(3, mostlyText),
  kmsEndpoint: omitEmpty(4, text),
  tpmCheckSecurebootStatusOnEnroll: omitEmpty(5, bool),
  pcrs: omitEmpty(7, list(int64)),
  pubKeyPcrs: omitEmpty(8, list(int64)),
});

/** Encryption of a volume and its keys. */
export const volumeEncryption = message({
  provider: field(1, encryptionProviderType),
  keys: field(2, list(encryptionKey)),
  cipher: omitEmpty(3, text),
  keySize: omitEmpty(4, uint64),
  blockSize: omitEmpty(5, uint64),
  perfOptions: omitEmpty(6, list(text)),
});

export type VolumeEncryption = ValueOf<typeof volumeEncryption>;
