import { bool, defineResource, field, int64, message, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { clientIdentifier, configLayer, operator } from "../enums/index.ts";
import { ip } from "../values/index.ts";

const dhcpClient = message({
  clientIdentifier: field(1, clientIdentifier),
  duidRawHex: omitEmpty(2, text),
});

const dhcp4Operator = message({
  routeMetric: field(1, uint32),
  skipHostnameRequest: omitEmpty(2, bool),
  clientIdentifier: omitEmpty(3, dhcpClient),
});

const dhcp6Operator = message({
  routeMetric: field(2, uint32),
  skipHostnameRequest: omitEmpty(3, bool),
  clientIdentifier: omitEmpty(4, dhcpClient),
});

const vipEquinixMetal = message({
  projectID: field(1, text),
  deviceID: field(2, text),
  apiToken: field(3, text),
});

const vipHCloud = message({
  deviceID: field(1, int64),
  networkID: field(2, int64),
  apiToken: field(3, text),
});

const vipOperator = message({
  ip: field(1, ip),
  gratuitousARP: field(2, bool),
  equinixMetal: omitEmpty(3, vipEquinixMetal),
  hcloud: omitEmpty(4, vipHCloud),
});

/** An operator (DHCP or virtual IP) that should run on a link. */
export const OperatorSpec = defineResource({
  type: "OperatorSpecs.net.talos.dev",
  namespace: "network",
  sensitivity: "sensitive",
  spec: {
    operator: field(1, operator),
    linkName: field(2, text),
    requireUp: field(3, bool),
    dhcp4: omitEmpty(4, dhcp4Operator),
    dhcp6: omitEmpty(5, dhcp6Operator),
    vip: omitEmpty(6, vipOperator),
    layer: field(7, configLayer),
  },
});

export type OperatorSpecSpec = SpecOf<typeof OperatorSpec>;
