import { bool, defineResource, field, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { encryptionProviderType, filesystemType } from "../enums/index.ts";
import { MountRequest } from "./mount-request.ts";

/** A mount that was performed: what, where, and with which file system. */
export const MountStatus = defineResource({
  type: "MountStatuses.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Source", "{.source}"],
    ["Target", "{.target}"],
    ["Filesystem", "{.filesystem}"],
    ["Volume", "{.spec.volumeID}"],
  ],
  spec: {
    spec: field(1, MountRequest.body),
    source: field(3, text),
    target: field(2, text),
    filesystem: field(4, filesystemType),
    encryptionProvider: omitEmpty(7, encryptionProviderType),
    readOnly: field(5, bool),
    projectQuotaSupport: field(6, bool),
    detached: field(8, bool),
  },
});

export type MountStatusSpec = SpecOf<typeof MountStatus>;
