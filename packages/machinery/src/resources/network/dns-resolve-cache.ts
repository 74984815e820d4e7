import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Reports whether a listener of the host DNS runs. */
export const DNSResolveCache = defineResource({
  type: "DNSResolveCaches.net.talos.dev",
  namespace: "network",
  columns: [["Status", "{.status}"]],
  spec: {
    status: field(1, text),
  },
});

export type DNSResolveCacheSpec = SpecOf<typeof DNSResolveCache>;
