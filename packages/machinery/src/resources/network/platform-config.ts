import { defineResource, field, list, omitEmpty, optional, type SpecOf } from "../dsl/index.ts";
import { PlatformMetadata } from "../runtime/platform-metadata.ts";
import { ip } from "../values/index.ts";
import { AddressSpec } from "./address-spec.ts";
import { HostnameSpec } from "./hostname-spec.ts";
import { LinkSpec } from "./link-spec.ts";
import { OperatorSpec } from "./operator-spec.ts";
import { ProbeSpec } from "./probe-spec.ts";
import { ResolverSpec } from "./resolver-spec.ts";
import { RouteSpec } from "./route-spec.ts";
import { TimeServerSpec } from "./time-server-spec.ts";

/** Network configuration from the platform: the one in effect, and the one kept for the next boot. */
export const PlatformConfig = defineResource({
  type: "PlatformConfigs.net.talos.dev",
  namespace: "network",
  ids: { active: "active", cached: "cached" },
  spec: {
    addresses: field(1, list(AddressSpec.body)),
    links: field(2, list(LinkSpec.body)),
    routes: field(3, list(RouteSpec.body)),
    hostnames: field(4, list(HostnameSpec.body)),
    resolvers: field(5, list(ResolverSpec.body)),
    timeServers: field(6, list(TimeServerSpec.body)),
    operators: field(7, list(OperatorSpec.body)),
    externalIPs: field(8, list(ip)),
    probes: omitEmpty(9, list(ProbeSpec.body)),
    metadata: omitEmpty(10, optional(PlatformMetadata.body)),
  },
});

export type PlatformConfigSpec = SpecOf<typeof PlatformConfig>;
