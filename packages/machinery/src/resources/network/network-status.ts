import { bool, defineResource, field, type SpecOf } from "../dsl/index.ts";

/** Readiness of the parts of the network. */
export const NetworkStatus = defineResource({
  type: "NetworkStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["netstatus", "netstatuses"],
  columns: [
    ["Address", "{.addressReady}"],
    ["Connectivity", "{.connectivityReady}"],
    ["Hostname", "{.hostnameReady}"],
    ["Etc", "{.etcFilesReady}"],
  ],
  id: "status",
  spec: {
    addressReady: field(1, bool),
    connectivityReady: field(2, bool),
    hostnameReady: field(3, bool),
    etcFilesReady: field(4, bool),
  },
});

export type NetworkStatusSpec = SpecOf<typeof NetworkStatus>;
