import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A configuration with which the machine was ready; the last five are kept, the newest has the highest id. */
export const MachineConfigHistory = defineResource({
  type: "MachineConfigHistories.config.talos.dev",
  namespace: "config",
  sensitivity: "sensitive",
  columns: [
    ["Ready Since", "{.readySince}"],
    ["Digest", "{.digest}"],
  ],
  spec: {
    readySince: field(1, text),
    digest: field(2, text),
    config: field(3, text),
  },
});

export type MachineConfigHistorySpec = SpecOf<typeof MachineConfigHistory>;
