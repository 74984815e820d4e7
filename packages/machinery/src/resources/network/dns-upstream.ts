import { bool, defineResource, field, printedAs, text, type SpecOf } from "../dsl/index.ts";

/** Reports whether a DNS server that host DNS asks is healthy. */
export const DNSUpstream = defineResource({
  type: "DNSUpstreams.net.talos.dev",
  namespace: "network",
  columns: [
    ["Healthy", "{.healthy}"],
    ["Address", "{.addr}"],
  ],
  spec: {
    addr: field(2, text),
    healthy: field(1, printedAs(bool, String)),
  },
});

export type DNSUpstreamSpec = SpecOf<typeof DNSUpstream>;
