import { defineResource, field, int64, text, type SpecOf } from "../dsl/index.ts";
import { ipPort } from "../values/index.ts";

/** SideroLink's WireGuard tunnel over gRPC. */
export const SiderolinkTunnel = defineResource({
  type: "SiderolinkTunnels.siderolink.talos.dev",
  namespace: "config",
  sensitivity: "sensitive",
  columns: [
    ["API Endpoint", "{.apiEndpoint}"],
    ["Link name", "{.linkName}"],
    ["MTU", "{.mtu}"],
    ["Node address", "{.nodeAddress}"],
  ],
  id: "siderolink-tunnel",
  spec: {
    apiEndpoint: field(1, text),
    linkName: field(2, text),
    mtu: field(3, int64),
    nodeAddress: field(4, ipPort),
  },
});

export type SiderolinkTunnelSpec = SpecOf<typeof SiderolinkTunnel>;
