import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Connection parameters of SideroLink. */
export const SiderolinkConfig = defineResource({
  type: "SiderolinkConfigs.siderolink.talos.dev",
  namespace: "config",
  sensitivity: "sensitive",
  columns: [
    ["API Endpoint", "{.apiEndpoint}"],
    ["Tunnel", "{.tunnel}"],
  ],
  id: "siderolink",
  spec: {
    apiEndpoint: field(1, text),
    host: field(2, text),
    joinToken: field(3, text),
    insecure: field(4, bool),
    tunnel: field(5, bool),
  },
});

export type SiderolinkConfigSpec = SpecOf<typeof SiderolinkConfig>;
