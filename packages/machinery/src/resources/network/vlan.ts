import { field, message, uint32, type ValueOf } from "../dsl/index.ts";
import { vlanProtocol } from "../enums/index.ts";

/** Settings of a VLAN. */
export const vlan = message({
  vlanID: field(1, uint32),
  vlanProtocol: field(2, vlanProtocol),
});

export type Vlan = ValueOf<typeof vlan>;
