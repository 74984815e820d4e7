import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { duration } from "../values/index.ts";

/** The watchdog that is armed. */
export const WatchdogTimerStatus = defineResource({
  type: "WatchdogTimerStatuses.runtime.talos.dev",
  namespace: "runtime",
  columns: [
    ["Device", "{.device}"],
    ["Timeout", "{.timeout}"],
  ],
  id: "timer",
  spec: {
    device: field(1, text),
    timeoutMs: field(2, duration, "timeout"),
    feedIntervalMs: field(3, duration, "feedInterval"),
  },
});

export type WatchdogTimerStatusSpec = SpecOf<typeof WatchdogTimerStatus>;
