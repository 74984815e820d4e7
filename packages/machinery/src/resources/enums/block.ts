import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Type of a volume. */
export const volumeType = enumOf("VolumeType", {
  partition: 0,
  disk: 1,
  tmpfs: 2,
  directory: 3,
  symlink: 4,
  overlay: 5,
  external: 6,
});

export type VolumeType = ValueOf<typeof volumeType>;

/** Phase of a volume. */
export const volumePhase = enumOf("VolumePhase", {
  waiting: 0,
  failed: 1,
  missing: 2,
  located: 3,
  provisioned: 4,
  prepared: 5,
  ready: 6,
  closed: 7,
});

export type VolumePhase = ValueOf<typeof volumePhase>;

/** File system of a volume. */
export const filesystemType = enumOf("FilesystemType", {
  none: 0,
  xfs: 1,
  vfat: 2,
  ext4: 3,
  iso9660: 4,
  swapi: 5,
  virtiofs: 6,
});

export type FilesystemType = ValueOf<typeof filesystemType>;

/** Source of the key of an encrypted volume. */
export const encryptionKeyType = enumOf("EncryptionKeyType", { static: 0, nodeID: 1, kms: 2, tpm: 3 });

export type EncryptionKeyType = ValueOf<typeof encryptionKeyType>;

/** Encryption provider of a volume. */
export const encryptionProviderType = enumOf("EncryptionProviderType", { none: 0, luks2: 1 });

export type EncryptionProviderType = ValueOf<typeof encryptionProviderType>;

/** Type of a mount parameter. */
export const fsParameterType = enumOf("FSParameterType", { string: 0, boolean: 1, binary: 2 });

export type FsParameterType = ValueOf<typeof fsParameterType>;
