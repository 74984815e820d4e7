import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** One requester wants one volume mounted. */
export const VolumeMountRequest = defineResource({
  type: "VolumeMountRequests.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Volume ID", "{.volumeID}"],
    ["Requester", "{.requester}"],
  ],
  spec: {
    volumeID: field(1, text),
    requester: field(2, text),
    readOnly: field(3, bool),
    detached: field(4, bool),
    disableAccessTime: field(5, bool),
    secure: field(6, bool),
  },
});

export type VolumeMountRequestSpec = SpecOf<typeof VolumeMountRequest>;
