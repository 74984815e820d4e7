import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The version of the spec a file was written from. */
export const EtcFileStatus = defineResource({
  type: "EtcFileStatuses.files.talos.dev",
  namespace: "files",
  spec: {
    specVersion: field(1, text),
  },
});

export type EtcFileStatusSpec = SpecOf<typeof EtcFileStatus>;
