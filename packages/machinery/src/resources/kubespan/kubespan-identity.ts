import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { ipPrefix } from "../values/index.ts";

/** WireGuard keys and address of this node in KubeSpan. */
export const KubeSpanIdentity = defineResource({
  type: "KubeSpanIdentities.kubespan.talos.dev",
  namespace: "kubespan",
  sensitivity: "sensitive",
  columns: [
    ["Address", "{.address}"],
    ["PublicKey", "{.publicKey}"],
  ],
  id: "local",
  spec: {
    address: field(1, ipPrefix),
    subnet: field(2, ipPrefix),
    privateKey: field(3, text),
    publicKey: field(4, text),
  },
});

export type KubeSpanIdentitySpec = SpecOf<typeof KubeSpanIdentity>;
