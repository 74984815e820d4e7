import { defineResource, field, list, message, omitEmpty, optional, text, type SpecOf } from "../dsl/index.ts";
import { machineType } from "../enums/index.ts";
import { ip, ipPort, ipPrefix } from "../values/index.ts";
import { controlPlane } from "./control-plane.ts";

const kubespanAffiliate = message({
  publicKey: field(1, text),
  address: field(2, ip),
  additionalAddresses: field(3, list(ipPrefix)),
  endpoints: field(4, list(ipPort)),
  excludeAdvertisedNetworks: field(5, list(ipPrefix)),
});

/** A machine that may be a member: as each registry reports it in `cluster-raw`, merged in `cluster`. */
export const Affiliate = defineResource({
  type: "Affiliates.cluster.talos.dev",
  namespace: "cluster",
  columns: [
    ["Hostname", "{.hostname}"],
    ["Machine Type", "{.machineType}"],
    ["Addresses", "{.addresses}"],
  ],
  spec: {
    nodeId: field(1, text),
    addresses: field(2, list(ip)),
    hostname: field(3, text),
    nodename: omitEmpty(4, text),
    operatingSystem: field(5, text),
    machineType: field(6, machineType),
    kubespan: omitEmpty(7, kubespanAffiliate),
    controlPlane: omitEmpty(8, optional(controlPlane)),
  },
});

export type AffiliateSpec = SpecOf<typeof Affiliate>;
