import { bool, defineResource, field, int64, type SpecOf } from "../dsl/index.ts";

/** Reports whether the clock is in sync; at once true in a container. */
export const TimeStatus = defineResource({
  type: "TimeStatuses.v1alpha1.talos.dev",
  namespace: "runtime",
  columns: [["Synced", "{.synced}"]],
  id: "node",
  spec: {
    synced: field(1, bool),
    epoch: field(2, int64),
    syncDisabled: field(3, bool),
  },
});

export type TimeStatusSpec = SpecOf<typeof TimeStatus>;
