import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { duration } from "../values/index.ts";

/** The watchdog that should be armed. */
export const WatchdogTimerConfig = defineResource({
  type: "WatchdogTimerConfigs.runtime.talos.dev",
  namespace: "runtime",
  columns: [
    ["Device", "{.device}"],
    ["Timeout", "{.timeout}"],
  ],
  id: "timer",
  spec: {
    device: field(1, text),
    timeoutMs: field(2, duration, "timeout"),
  },
});

export type WatchdogTimerConfigSpec = SpecOf<typeof WatchdogTimerConfig>;
