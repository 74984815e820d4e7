import { defineResource, field, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { configLayer } from "../enums/index.ts";
import { ip } from "../values/index.ts";

/** DNS servers that should be used: one per source in `network-config`, merged in `network`. */
export const ResolverSpec = defineResource({
  type: "ResolverSpecs.net.talos.dev",
  namespace: "network",
  columns: [
    ["Layer", "{.layer}"],
    ["Resolvers", "{.dnsServers}"],
    ["Search Domains", "{.searchDomains}"],
  ],
  id: "resolvers",
  spec: {
    dnsServers: field(1, list(ip)),
    layer: field(2, configLayer),
    searchDomains: omitEmpty(3, list(text)),
  },
});

export type ResolverSpecSpec = SpecOf<typeof ResolverSpec>;
