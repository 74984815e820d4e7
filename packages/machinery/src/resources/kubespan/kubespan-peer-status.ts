import { defineResource, field, int64, text, type SpecOf } from "../dsl/index.ts";
import { peerState } from "../enums/index.ts";
import { ipPort, time } from "../values/index.ts";

/** Reports whether a peer is up, and how much was sent and received. */
export const KubeSpanPeerStatus = defineResource({
  type: "KubeSpanPeerStatuses.kubespan.talos.dev",
  namespace: "kubespan",
  columns: [
    ["Label", "{.label}"],
    ["Endpoint", "{.endpoint}"],
    ["State", "{.state}"],
    ["Rx", "{.receiveBytes}"],
    ["Tx", "{.transmitBytes}"],
  ],
  spec: {
    endpoint: field(1, ipPort),
    label: field(2, text),
    state: field(3, peerState),
    receiveBytes: field(4, int64),
    transmitBytes: field(5, int64),
    lastHandshakeTime: field(6, time),
    lastUsedEndpoint: field(7, ipPort),
    lastEndpointChange: field(8, time),
  },
});

export type KubeSpanPeerStatusSpec = SpecOf<typeof KubeSpanPeerStatus>;
