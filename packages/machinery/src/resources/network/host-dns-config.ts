import { bool, defineResource, field, list, omitEmpty, type SpecOf } from "../dsl/index.ts";
import { ip, ipPort } from "../values/index.ts";

/** Reports whether the host answers DNS itself, and where. */
export const HostDNSConfig = defineResource({
  type: "HostDNSConfigs.net.talos.dev",
  namespace: "network",
  columns: [["Enabled", "{.enabled}"]],
  id: "config",
  spec: {
    enabled: field(1, bool),
    listenAddresses: omitEmpty(2, list(ipPort)),
    serviceHostDNSAddress: omitEmpty(3, ip),
    resolveMemberNames: omitEmpty(4, bool),
  },
});

export type HostDNSConfigSpec = SpecOf<typeof HostDNSConfig>;
