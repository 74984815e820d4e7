import { bool, defineResource, double, field, int64, text, type SpecOf } from "../dsl/index.ts";
import { duration } from "../values/index.ts";

/** State of the kernel clock (adjtimex(2)). */
export const AdjtimeStatus = defineResource({
  type: "AdjtimeStatuses.v1alpha1.talos.dev",
  namespace: "runtime",
  columns: [
    ["Offset", "{.offset}"],
    ["EstError", "{.estError}"],
    ["MaxError", "{.maxError}"],
    ["Status", "{.status}"],
    ["Sync", "{.syncStatus}"],
  ],
  id: "node",
  spec: {
    offsetMs: field(1, duration, "offset"),
    frequencyAdjustmentRatio: field(2, double),
    maxErrorMs: field(3, duration, "maxError"),
    estErrorMs: field(4, duration, "estError"),
    status: field(5, text),
    constant: field(6, int64),
    syncStatus: field(7, bool),
    state: field(8, text),
  },
});

export type AdjtimeStatusSpec = SpecOf<typeof AdjtimeStatus>;
