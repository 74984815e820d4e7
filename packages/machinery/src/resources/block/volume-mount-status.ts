import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The answer to a mount request; whoever uses the mount holds a finalizer on it. */
export const VolumeMountStatus = defineResource({
  type: "VolumeMountStatuses.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Volume ID", "{.volumeID}"],
    ["Requester", "{.requester}"],
    ["Target", "{.target}"],
  ],
  spec: {
    volumeID: field(1, text),
    requester: field(2, text),
    target: field(3, text),
    readOnly: field(4, bool),
    detached: field(5, bool),
    disableAccessTime: field(6, bool),
    secure: field(7, bool),
  },
});

export type VolumeMountStatusSpec = SpecOf<typeof VolumeMountStatus>;
