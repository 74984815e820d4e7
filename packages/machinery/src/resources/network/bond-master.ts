import { bool, field, list, message, omitEmpty, optional, uint32, type ValueOf } from "../dsl/index.ts";
import {
  adLacpActive,
  adSelect,
  arpAllTargets,
  arpValidate,
  bondMode,
  bondXmitHashPolicy,
  failOverMac,
  lacpRate,
  primaryReselect,
} from "../enums/index.ts";
import { ip } from "../values/index.ts";

/** Settings of a bond. */
export const bondMaster = message({
  mode: field(1, bondMode),
  xmitHashPolicy: field(2, bondXmitHashPolicy),
  lacpRate: field(3, lacpRate),
  arpValidate: field(4, arpValidate),
  arpAllTargets: field(5, arpAllTargets),
  primary: omitEmpty(6, optional(uint32)),
  primaryReselect: field(7, primaryReselect),
  failOverMac: field(8, failOverMac),
  adSelect: omitEmpty(9, adSelect),
  miimon: omitEmpty(10, uint32),
  updelay: omitEmpty(11, uint32),
  downdelay: omitEmpty(12, uint32),
  arpInterval: omitEmpty(13, uint32),
  resendIgmp: omitEmpty(14, uint32),
  minLinks: omitEmpty(15, uint32),
  lpInterval: omitEmpty(16, uint32),
  packetsPerSlave: omitEmpty(17, uint32),
  numPeerNotif: omitEmpty(18, uint32),
  tlbLogicalLb: omitEmpty(19, uint32),
  allSlavesActive: omitEmpty(20, uint32),
  useCarrier: omitEmpty(21, bool),
  adActorSysPrio: omitEmpty(22, uint32),
  adUserPortKey: omitEmpty(23, uint32),
  peerNotifyDelay: omitEmpty(24, uint32),
  arpIpTargets: omitEmpty(25, list(ip)),
  nsIp6Targets: omitEmpty(26, list(ip)),
  adLacpActive: omitEmpty(27, optional(adLacpActive)),
  missedMax: omitEmpty(28, uint32),
});

export type BondMaster = ValueOf<typeof bondMaster>;
