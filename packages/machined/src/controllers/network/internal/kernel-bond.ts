import type { BondSettings } from "@talos-ts/linux";
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
  type BondMode,
} from "@talos-ts/machinery/resources/enums";
import type { LinkSpecSpec, LinkStatusSpec } from "@talos-ts/machinery/resources/network";

type BondMaster = LinkSpecSpec["bondMaster"];

const withPrimary: readonly BondMode[] = ["active-backup", "balance-tlb", "balance-alb"];
const withArp: readonly BondMode[] = ["balance-rr", "active-backup", "balance-xor", "broadcast"];

/** Modes that know an option; the kernel refuses it in the others. Options that are not here are for all modes. */
const modes: Readonly<Partial<Record<keyof BondSettings, readonly BondMode[]>>> = {
  lacpRate: ["802.3ad"],
  adActorSysPrio: ["802.3ad"],
  adUserPortKey: ["802.3ad"],
  adLacpActive: ["802.3ad"],
  adSelect: ["802.3ad"],
  packetsPerSlave: ["balance-rr"],
  tlbDynamicLb: ["balance-tlb", "balance-alb"],
  primary: withPrimary,
  arpInterval: withArp,
  arpValidate: withArp,
  arpIpTargets: withArp,
  nsIp6Targets: withArp,
  missedMax: withArp,
};

/** The settings of a bond as the kernel takes them, without what its mode does not know. */
export function kernelBond(bond: BondMaster): BondSettings {
  const all: BondSettings = {
    mode: bondMode.toNumber(bond.mode),
    xmitHashPolicy: bondXmitHashPolicy.toNumber(bond.xmitHashPolicy),
    lacpRate: lacpRate.toNumber(bond.lacpRate),
    arpAllTargets: arpAllTargets.toNumber(bond.arpAllTargets),
    primaryReselect: primaryReselect.toNumber(bond.primaryReselect),
    failOverMac: failOverMac.toNumber(bond.failOverMac),
    adSelect: adSelect.toNumber(bond.adSelect),
    miimon: bond.miimon,
    resendIgmp: bond.resendIgmp,
    minLinks: bond.minLinks,
    lpInterval: bond.lpInterval,
    packetsPerSlave: bond.packetsPerSlave,
    numPeerNotif: bond.numPeerNotif,
    tlbDynamicLb: bond.tlbLogicalLb,
    allSlavesActive: bond.allSlavesActive,
    useCarrier: bond.useCarrier ? 1 : 0,
    adActorSysPrio: bond.adActorSysPrio,
    adUserPortKey: bond.adUserPortKey,
    missedMax: bond.missedMax,
    ...(bond.primary === undefined ? {} : { primary: bond.primary }),
    ...(bond.adLacpActive === undefined ? {} : { adLacpActive: adLacpActive.toNumber(bond.adLacpActive) }),
    // Delays count in units of the monitor they belong to, and are refused without it.
    ...(bond.miimon === 0
      ? {}
      : { updelay: bond.updelay, downdelay: bond.downdelay, peerNotifyDelay: bond.peerNotifyDelay }),
    ...(bond.arpInterval === 0
      ? {}
      : {
          arpInterval: bond.arpInterval,
          arpValidate: arpValidate.toNumber(bond.arpValidate),
          arpIpTargets: bond.arpIpTargets,
          nsIp6Targets: bond.nsIp6Targets,
        }),
  };
  const known = Object.entries(all).filter(([key]) => modes[key as keyof BondSettings]?.includes(bond.mode) ?? true);
  return Object.fromEntries(known);
}

/** Settings that a bond has not, or has otherwise. */
export function bondChanges(wanted: BondSettings, current: BondSettings): BondSettings {
  const now: Readonly<Record<string, unknown>> = { ...current };
  const changed = Object.entries(wanted).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now[key]));
  return Object.fromEntries(changed);
}

/** The settings of a bond of the kernel, for its status. */
export function bondStatus(bond: BondSettings): Partial<LinkStatusSpec["bondMaster"]> {
  const { tlbDynamicLb: tlbLogicalLb, useCarrier, primary, ...numbers } = bond;
  const named = {
    mode: bondMode,
    xmitHashPolicy: bondXmitHashPolicy,
    lacpRate,
    arpValidate,
    arpAllTargets,
    primaryReselect,
    failOverMac,
    adSelect,
    adLacpActive,
  };
  const words = Object.entries(named).flatMap(([key, codec]) => {
    const value = bond[key as keyof typeof named];
    return value === undefined ? [] : [[key, codec.fromNumber(value)] as const];
  });
  const status: Readonly<Record<string, unknown>> = {
    ...numbers,
    ...Object.fromEntries(words),
    ...(tlbLogicalLb === undefined ? {} : { tlbLogicalLb }),
    ...(primary === undefined || primary === 0 ? {} : { primary }),
    useCarrier: useCarrier === 1,
  };
  return status;
}
