import { defineResource, field, int64, message, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { configLayer } from "../enums/index.ts";
import { duration } from "../values/index.ts";

const tcpProbe = message({
  endpoint: field(1, text),
  timeoutMs: field(2, duration, "timeout"),
});

/** A connectivity probe that should run. */
export const ProbeSpec = defineResource({
  type: "ProbeSpecs.net.talos.dev",
  namespace: "network",
  spec: {
    intervalMs: field(1, duration, "interval"),
    failureThreshold: field(2, int64),
    tcp: omitEmpty(3, tcpProbe),
    layer: field(4, configLayer),
  },
});

export type ProbeSpecSpec = SpecOf<typeof ProbeSpec>;
