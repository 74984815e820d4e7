import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { configLayer } from "../enums/index.ts";

/** A hostname that should be set: one per source in `network-config`, merged in `network`. */
export const HostnameSpec = defineResource({
  type: "HostnameSpecs.net.talos.dev",
  namespace: "network",
  id: "hostname",
  spec: {
    hostname: field(1, text),
    domainname: field(2, text),
    layer: field(3, configLayer),
  },
});

export type HostnameSpecSpec = SpecOf<typeof HostnameSpec>;
