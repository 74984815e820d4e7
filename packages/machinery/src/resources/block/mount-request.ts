import { bool, defineResource, field, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** The one mount that serves everybody who wants a volume mounted. */
export const MountRequest = defineResource({
  type: "MountRequests.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Volume", "{.volumeID}"],
    ["Parent", "{.parentID}"],
    ["Requesters", "{.requesters}"],
  ],
  spec: {
    volumeID: field(1, text),
    parentID: field(2, text),
    readOnly: field(5, bool),
    detached: field(6, bool),
    disableAccessTime: omitEmpty(7, bool),
    secure: omitEmpty(8, bool),
    requesters: field(3, list(text)),
    requesterIDs: field(4, list(text)),
  },
});

export type MountRequestSpec = SpecOf<typeof MountRequest>;
