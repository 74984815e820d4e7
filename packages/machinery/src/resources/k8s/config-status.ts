import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The configuration files of the control plane pods are on disk. */
export const ConfigStatus = defineResource({
  type: "ConfigStatuses.kubernetes.talos.dev",
  namespace: "controlplane",
  columns: [
    ["Ready", "{.ready}"],
    ["Secrets Version", "{.version}"],
  ],
  id: "static-pods",
  spec: {
    ready: field(1, bool),
    version: field(2, text),
  },
});

export type ConfigStatusSpec = SpecOf<typeof ConfigStatus>;
