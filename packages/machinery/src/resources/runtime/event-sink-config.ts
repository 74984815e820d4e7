import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Destination of events. */
export const EventSinkConfig = defineResource({
  type: "EventSinkConfigs.runtime.talos.dev",
  namespace: "runtime",
  id: "event-sink",
  spec: {
    endpoint: field(1, text),
  },
});

export type EventSinkConfigSpec = SpecOf<typeof EventSinkConfig>;
