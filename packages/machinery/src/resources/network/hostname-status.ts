import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Hostname and domain in effect. */
export const HostnameStatus = defineResource({
  type: "HostnameStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["hostname"],
  columns: [
    ["Hostname", "{.hostname}"],
    ["Domainname", "{.domainname}"],
  ],
  id: "hostname",
  spec: {
    hostname: field(1, text),
    domainname: field(2, text),
  },
});

export type HostnameStatusSpec = SpecOf<typeof HostnameStatus>;
