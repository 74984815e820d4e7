import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The certificates of etcd are on disk. */
export const PKIStatus = defineResource({
  type: "PKIStatuses.etcd.talos.dev",
  namespace: "etcd",
  columns: [
    ["Ready", "{.ready}"],
    ["Secrets Version", "{.version}"],
  ],
  id: "etcd",
  spec: {
    ready: field(1, bool),
    version: field(2, text),
  },
});

export type PKIStatusSpec = SpecOf<typeof PKIStatus>;
