import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { ip, ipPort, ipPrefix } from "../values/index.ts";

/** A peer KubeSpan should connect to. */
export const KubeSpanPeerSpec = defineResource({
  type: "KubeSpanPeerSpecs.kubespan.talos.dev",
  namespace: "kubespan",
  columns: [
    ["Label", "{.label}"],
    ["Endpoints", "{.endpoints}"],
  ],
  spec: {
    address: field(1, ip),
    allowedIPs: field(2, list(ipPrefix)),
    endpoints: field(3, list(ipPort)),
    label: field(4, text),
  },
});

export type KubeSpanPeerSpecSpec = SpecOf<typeof KubeSpanPeerSpec>;
