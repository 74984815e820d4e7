import { bool, field, message, omitEmpty, type ValueOf } from "../dsl/index.ts";

const stp = message({
  enabled: field(1, bool),
});

const bridgeVlan = message({
  filteringEnabled: field(1, bool),
});

/** Settings of a bridge. */
export const bridgeMaster = message({
  stp: omitEmpty(1, stp),
  vlan: omitEmpty(2, bridgeVlan),
});

export type BridgeMaster = ValueOf<typeof bridgeMaster>;
