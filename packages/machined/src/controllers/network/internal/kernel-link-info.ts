import type { Link, LinkInfo } from "@talos-ts/linux";
import { routingTable, vlanProtocol } from "@talos-ts/machinery/resources/enums";
import type { LinkSpecSpec } from "@talos-ts/machinery/resources/network";
import { bondChanges, kernelBond } from "./kernel-bond.ts";

/** Describes how links of one kind are made, and what can be changed on them later. */
interface KindRules {
  info(spec: LinkSpecSpec): LinkInfo;
  /** Reports whether a link of the kind has to be made anew to agree with a spec. */
  outdated(spec: LinkSpecSpec, link: Link, parentIndex: number | undefined): boolean;
  /** Returns what to change on a link of the kind, or nothing. */
  change(spec: LinkSpecSpec, link: Link): LinkInfo | undefined;
  /** True when settings change only while the link is down. */
  readonly changesDown?: true;
}

const nothing = (): undefined => undefined;
const never = (): boolean => false;

const kinds: Readonly<Record<string, KindRules>> = {
  dummy: { info: () => ({ kind: "dummy" }), outdated: never, change: nothing },
  bridge: {
    // Its settings follow as changes: a kernel without VLAN filtering refuses to be told that it is off.
    info: () => ({ kind: "bridge" }),
    outdated: never,
    change(spec, { info }) {
      if (info?.kind !== "bridge") return undefined;
      const { stp, vlan } = spec.bridgeMaster;
      const changes = {
        ...((info.stp ?? false) === stp.enabled ? {} : { stp: stp.enabled }),
        ...((info.vlanFiltering ?? false) === vlan.filteringEnabled ? {} : { vlanFiltering: vlan.filteringEnabled }),
      };
      return Object.keys(changes).length === 0 ? undefined : { kind: "bridge", ...changes };
    },
  },
  vlan: {
    info: ({ vlan }) => ({ kind: "vlan", id: vlan.vlanID, protocol: vlanProtocol.toNumber(vlan.vlanProtocol) }),
    outdated: ({ vlan }, { info, linkIndex }, parentIndex) =>
      info?.kind !== "vlan" ||
      info.id !== vlan.vlanID ||
      (info.protocol ?? 0x8100) !== vlanProtocol.toNumber(vlan.vlanProtocol) ||
      (parentIndex !== undefined && linkIndex !== parentIndex),
    change: nothing,
  },
  // Keys and peers are set through an interface of their own.
  wireguard: { info: () => ({ kind: "wireguard" }), outdated: never, change: nothing },
  vrf: {
    info: ({ vrfMaster }) => ({ kind: "vrf", table: routingTable.toNumber(vrfMaster.table) }),
    outdated: ({ vrfMaster }, { info }) =>
      info?.kind !== "vrf" || info.table !== routingTable.toNumber(vrfMaster.table),
    change: nothing,
  },
  bond: {
    info: ({ bondMaster }) => ({ kind: "bond", ...kernelBond(bondMaster) }),
    // The mode cannot change while the bond has ports; they join the new one.
    outdated: ({ bondMaster }, { info }) => info?.kind !== "bond" || info.mode !== kernelBond(bondMaster).mode,
    change({ bondMaster }, { info }) {
      if (info?.kind !== "bond") return undefined;
      const { kind: _, ...current } = info;
      const changes = bondChanges(kernelBond(bondMaster), current);
      return Object.keys(changes).length === 0 ? undefined : { kind: "bond", ...changes };
    },
    changesDown: true,
  },
};

/** The rules of a kind of link that can be made; `undefined` for others. */
export function rulesOfKind(kind: string): KindRules | undefined {
  return kinds[kind];
}
