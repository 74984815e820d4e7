import {
  bool,
  defineResource,
  field,
  inline,
  message,
  omitEmpty,
  optional,
  text,
  uint32,
  type SpecOf,
} from "../dsl/index.ts";
import { configLayer, linkType } from "../enums/index.ts";
import { hardwareAddress } from "../values/index.ts";
import { bondMaster } from "./bond-master.ts";
import { bondSlave } from "./bond-slave.ts";
import { bridgeMaster } from "./bridge-master.ts";
import { vlan } from "./vlan.ts";
import { vrfMaster } from "./vrf-master.ts";
import { wireguard } from "./wireguard.ts";

const bridgeSlave = message({
  masterName: omitEmpty(1, text),
});

const vrfSlave = message({
  masterName: omitEmpty(1, text),
});

/** A link that should exist: one per source in `network-config`, merged in `network`. */
export const LinkSpec = defineResource({
  type: "LinkSpecs.net.talos.dev",
  namespace: "network",
  sensitivity: "sensitive",
  spec: {
    name: field(1, text),
    logical: field(2, bool),
    up: field(3, bool),
    mtu: field(4, uint32),
    kind: field(5, text),
    type: field(6, linkType),
    hardwareAddr: omitEmpty(15, hardwareAddress),
    parentName: omitEmpty(7, text),
    bondSlave: inline(8, bondSlave),
    bridgeSlave: omitEmpty(9, bridgeSlave),
    vrfSlave: omitEmpty(18, vrfSlave),
    vlan: omitEmpty(10, vlan),
    bondMaster: omitEmpty(11, bondMaster),
    bridgeMaster: omitEmpty(12, bridgeMaster),
    vrfMaster: omitEmpty(17, vrfMaster),
    wireguard: omitEmpty(13, wireguard),
    layer: field(14, configLayer),
    multicast: omitEmpty(16, optional(bool)),
  },
});

export type LinkSpecSpec = SpecOf<typeof LinkSpec>;
