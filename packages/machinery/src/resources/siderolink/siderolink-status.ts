import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Reports whether SideroLink is connected. */
export const SiderolinkStatus = defineResource({
  type: "SiderolinkStatuses.siderolink.talos.dev",
  namespace: "config",
  columns: [
    ["Host", "{.host}"],
    ["Connected", "{.connected}"],
  ],
  id: "siderolink-status",
  spec: {
    host: field(1, text),
    connected: field(2, bool),
    linkName: field(3, text),
    grpcTunnel: field(4, bool),
  },
});

export type SiderolinkStatusSpec = SpecOf<typeof SiderolinkStatus>;
