import type { bondConfig, DocumentOf } from "@talos-ts/machinery/config";
import { LinkSpec, type LinkSpecSpec } from "@talos-ts/machinery/resources/network";
import type { Device } from "./devices.ts";

type BondMaster = LinkSpecSpec["bondMaster"];
type BondDocument = DocumentOf<typeof bondConfig>;
type LegacyBond = NonNullable<Device["bond"]>;

/** Returns what the bonding driver assumes, so that a setting which goes away goes back to it. */
function defaults(mode: string): Partial<BondMaster> {
  return {
    resendIgmp: 1,
    lpInterval: 1,
    packetsPerSlave: 1,
    numPeerNotif: 1,
    tlbLogicalLb: 1,
    useCarrier: true,
    missedMax: 2,
    ...(mode === "802.3ad" ? { adActorSysPrio: 65_535 } : {}),
  };
}

function bondMaster(values: Readonly<Record<string, unknown>>): BondMaster {
  const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""));
  const mode = typeof said["mode"] === "string" ? said["mode"] : "balance-rr";
  return LinkSpec.spec({ bondMaster: { ...defaults(mode), ...said } }).bondMaster;
}

/** Settings of a `BondConfig` document. */
export function documentBond(bond: BondDocument): BondMaster {
  const {
    bondMode: mode,
    adLACPActive: adLacpActive,
    resendIGMP: resendIgmp,
    peerNotifDelay: peerNotifyDelay,
    apiVersion: _version,
    kind: _kind,
    name: _name,
    links: _links,
    hardwareAddr: _hardwareAddr,
    up: _up,
    mtu: _mtu,
    addresses: _addresses,
    routes: _routes,
    multicast: _multicast,
    ...same
  } = bond;
  return bondMaster({ ...same, mode, adLacpActive, resendIgmp, peerNotifyDelay });
}

/** Settings of a bond of `machine.network.interfaces`; the primary link counts once it exists. */
export function legacyBond(bond: LegacyBond, indexOf: (link: string) => number | undefined): BondMaster {
  const {
    tlbDynamicLb: tlbLogicalLb,
    primary,
    interfaces: _interfaces,
    deviceSelectors: _selectors,
    arpIPTarget: _targets,
    adActorSystem: _system,
    ...same
  } = bond;
  return bondMaster({ ...same, tlbLogicalLb, primary: primary === undefined ? undefined : indexOf(primary) });
}
