import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Listener and mode of apid. */
export const APIServiceConfig = defineResource({
  type: "APIServiceConfigs.runtime.talos.dev",
  namespace: "runtime",
  id: "apid",
  spec: {
    listenAddress: field(1, text),
    nodeRoutingDisabled: field(2, bool),
    readonlyRoleMode: field(3, bool),
    skipVerifyingClientCert: field(4, bool),
  },
});

export type APIServiceConfigSpec = SpecOf<typeof APIServiceConfig>;
