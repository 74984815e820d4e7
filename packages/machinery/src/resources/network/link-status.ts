import { bool, defineResource, field, int64, list, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { duplex, linkFlags, linkType, operationalState, port } from "../enums/index.ts";
import { hardwareAddress } from "../values/index.ts";
import { bondMaster } from "./bond-master.ts";
import { bridgeMaster } from "./bridge-master.ts";
import { vlan } from "./vlan.ts";
import { vrfMaster } from "./vrf-master.ts";
import { wireguard } from "./wireguard.ts";

/** State of a link. */
export const LinkStatus = defineResource({
  type: "LinkStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["link", "links"],
  columns: [
    ["Alias", "{.alias}"],
    ["Type", "{.type}"],
    ["Kind", "{.kind}"],
    ["Hw Addr", "{.hardwareAddr}"],
    ["Oper State", "{.operationalState}"],
    ["Link State", "{.linkState}"],
  ],
  spec: {
    alias: omitEmpty(31, text),
    altNames: omitEmpty(32, list(text)),
    index: field(1, uint32),
    type: field(2, linkType),
    linkIndex: field(3, uint32),
    flags: field(4, linkFlags),
    hardwareAddr: field(5, hardwareAddress),
    permanentAddr: field(30, hardwareAddress),
    broadcastAddr: field(6, hardwareAddress),
    mtu: field(7, uint32),
    queueDisc: field(8, text),
    masterIndex: omitEmpty(9, uint32),
    operationalState: field(10, operationalState),
    kind: field(11, text),
    slaveKind: field(12, text),
    busPath: omitEmpty(13, text),
    pciID: omitEmpty(14, text),
    driver: omitEmpty(15, text),
    driverVersion: omitEmpty(16, text),
    firmwareVersion: omitEmpty(17, text),
    productID: omitEmpty(18, text),
    vendorID: omitEmpty(19, text),
    product: omitEmpty(20, text),
    vendor: omitEmpty(21, text),
    linkState: field(22, bool),
    speedMbit: omitEmpty(23, int64),
    port: field(24, port),
    duplex: field(25, duplex),
    vlan: omitEmpty(26, vlan),
    bridgeMaster: omitEmpty(27, bridgeMaster),
    bondMaster: omitEmpty(28, bondMaster),
    vrfMaster: omitEmpty(33, vrfMaster),
    wireguard: omitEmpty(29, wireguard),
  },
});

export type LinkStatusSpec = SpecOf<typeof LinkStatus>;
