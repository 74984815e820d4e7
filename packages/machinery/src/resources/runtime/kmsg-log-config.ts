import { defineResource, field, list, type SpecOf } from "../dsl/index.ts";
import { url } from "../values/index.ts";

/** Destinations of kernel messages. */
export const KmsgLogConfig = defineResource({
  type: "KmsgLogConfigs.runtime.talos.dev",
  namespace: "runtime",
  id: "kmsg-log",
  spec: {
    destinations: field(1, list(url)),
  },
});

export type KmsgLogConfigSpec = SpecOf<typeof KmsgLogConfig>;
