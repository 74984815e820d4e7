import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { ip } from "../values/index.ts";

/** DNS servers and search domains in effect. */
export const ResolverStatus = defineResource({
  type: "ResolverStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["resolvers"],
  columns: [
    ["Resolvers", "{.dnsServers}"],
    ["Search Domains", "{.searchDomains}"],
  ],
  id: "resolvers",
  spec: {
    dnsServers: field(1, list(ip)),
    searchDomains: field(2, list(text)),
  },
});

export type ResolverStatusSpec = SpecOf<typeof ResolverStatus>;
