import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { configLayer } from "../enums/index.ts";

/** Time servers that should be used: one per source in `network-config`, merged in `network`. */
export const TimeServerSpec = defineResource({
  type: "TimeServerSpecs.net.talos.dev",
  namespace: "network",
  id: "timeservers",
  spec: {
    timeServers: field(1, list(text)),
    layer: field(2, configLayer),
  },
});

export type TimeServerSpecSpec = SpecOf<typeof TimeServerSpec>;
