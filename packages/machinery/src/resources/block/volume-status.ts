import {
  bool,
  defineResource,
  field,
  int64,
  list,
  message,
  omitEmpty,
  optional,
  text,
  uint64,
  type SpecOf,
} from "../dsl/index.ts";
import { encryptionProviderType, filesystemType, volumePhase, volumeType } from "../enums/index.ts";
import { symlinkProvisioning } from "./symlink-provisioning.ts";
import { volumeMount } from "./volume-mount.ts";

const tpmEncryptionOptions = message({
  pcrs: omitEmpty(1, list(int64)),
  pubKeyPcrs: omitEmpty(2, list(int64)),
});

/** State of a volume: how far it has come, where it is, and how large. Volumes are directories when the node is a container. */
export const VolumeStatus = defineResource({
  type: "VolumeStatuses.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Type", "{.type}"],
    ["Phase", "{.phase}"],
    ["Location", "{.location}"],
    ["Size", "{.prettySize}"],
  ],
  spec: {
    phase: field(1, volumePhase),
    preFailPhase: omitEmpty(6, volumePhase),
    type: field(16, volumeType),
    parentID: omitEmpty(19, text),
    location: omitEmpty(2, text),
    mountLocation: omitEmpty(11, text),
    partitionIndex: omitEmpty(8, int64),
    parentLocation: omitEmpty(7, text),
    uuid: omitEmpty(4, text),
    partitionUUID: omitEmpty(5, text),
    size: omitEmpty(9, uint64),
    prettySize: omitEmpty(13, text),
    filesystem: omitEmpty(10, filesystemType),
    encryptionProvider: omitEmpty(12, encryptionProviderType),
    encryptionFailedSyncs: omitEmpty(14, list(text)),
    configuredEncryptionKeys: omitEmpty(17, list(text)),
    encryptionLockedToState: omitEmpty(20, bool),
    encryptionSlot: omitEmpty(21, optional(int64)),
    tpmEncryptionOptions: omitEmpty(22, tpmEncryptionOptions),
    mountSpec: omitEmpty(15, volumeMount),
    symlink: omitEmpty(18, symlinkProvisioning),
    errorMessage: omitEmpty(3, text),
  },
});

export type VolumeStatusSpec = SpecOf<typeof VolumeStatus>;
