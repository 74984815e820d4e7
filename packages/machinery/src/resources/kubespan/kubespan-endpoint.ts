import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { ipPort } from "../values/index.ts";

/** An endpoint of a peer that was learned from traffic. */
export const KubeSpanEndpoint = defineResource({
  type: "KubeSpanEndpoints.kubespan.talos.dev",
  namespace: "kubespan",
  columns: [
    ["Endpoint", "{.endpoint}"],
    ["Affiliate ID", "{.affiliateID}"],
  ],
  spec: {
    affiliateID: field(1, text),
    endpoint: field(2, ipPort),
  },
});

export type KubeSpanEndpointSpec = SpecOf<typeof KubeSpanEndpoint>;
