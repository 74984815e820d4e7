import { bool, defineResource, field, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** A mounted volume in the older form that clients still ask for. */
export const RuntimeMountStatus = defineResource({
  type: "MountStatuses.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["mounts"],
  skipAutomaticAliases: true,
  columns: [
    ["Source", "{.source}"],
    ["Target", "{.target}"],
    ["Filesystem Type", "{.filesystemType}"],
  ],
  spec: {
    source: field(1, text),
    target: field(2, text),
    filesystemType: field(3, text),
    options: field(4, list(text)),
    encrypted: field(5, bool),
    encryptionProviders: omitEmpty(6, list(text)),
  },
});

export type RuntimeMountStatusSpec = SpecOf<typeof RuntimeMountStatus>;
