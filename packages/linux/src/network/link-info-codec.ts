import { addressBytes, formatAddress } from "@talos-ts/base/net";
import { encodeAttributes, parseAttributeList, type Attribute, type Attributes } from "../netlink/attributes.ts";
import { readU16, readU16be, readU32, readU8, u16, u16be, u32, u8 } from "../netlink/values.ts";
import type { LinkInfo, LinkKind, VethPeer } from "./link.ts";
import { encodeMac } from "./hardware-address.ts";
import { text } from "../netlink/values.ts";
import { ifla } from "./link-attributes.ts";

interface Width {
  readonly write: (value: number) => Buffer;
  readonly read: (attributes: Attributes, type: number) => number | undefined;
  /** Shown to callers as true or false. */
  readonly boolean?: true;
}

/** Lists of addresses of a bond: field name, IFLA_BOND_* number. */
const addressLists = { arpIpTargets: 8, nsIp6Targets: 31 } as const;

const byte: Width = { write: u8, read: readU8 };
const short: Width = { write: u16, read: readU16 };
const bigEndianShort: Width = { write: u16be, read: readU16be };
const word: Width = { write: u32, read: readU32 };
const byteFlag: Width = { ...byte, boolean: true };
const wordFlag: Width = { ...word, boolean: true };

type Fields = Readonly<Record<string, readonly [attribute: number, width: Width]>>;

/** The settings of each kind: field name, IFLA_<KIND>_* number, width. */
const fields: Readonly<Record<LinkKind, Fields>> = {
  dummy: {},
  wireguard: {},
  veth: {},
  bridge: { stp: [5, wordFlag], vlanFiltering: [7, byteFlag] },
  vlan: { id: [1, short], protocol: [5, bigEndianShort] },
  vrf: { table: [1, word] },
  bond: {
    mode: [1, byte],
    miimon: [3, word],
    updelay: [4, word],
    downdelay: [5, word],
    useCarrier: [6, byte],
    arpInterval: [7, word],
    arpValidate: [9, word],
    arpAllTargets: [10, word],
    primary: [11, word],
    primaryReselect: [12, byte],
    failOverMac: [13, byte],
    xmitHashPolicy: [14, byte],
    resendIgmp: [15, word],
    numPeerNotif: [16, byte],
    allSlavesActive: [17, byte],
    minLinks: [18, word],
    lpInterval: [19, word],
    packetsPerSlave: [20, word],
    lacpRate: [21, byte],
    adSelect: [22, byte],
    adActorSysPrio: [24, short],
    adUserPortKey: [25, short],
    tlbDynamicLb: [27, byte],
    peerNotifyDelay: [28, word],
    adLacpActive: [29, byte],
    missedMax: [30, byte],
  },
};

const VETH_INFO_PEER = 1;
const IFINFOMSG = 16;

/** Describes how a namespace is named in a message; resolved by the caller, who holds the descriptor open meanwhile. */
export type NamespaceAttribute = (target: NonNullable<VethPeer["networkNamespace"]>) => Attribute;

export function encodeLinkInfo(info: LinkInfo, namespace: NamespaceAttribute): readonly Attribute[] {
  const values = info as unknown as Readonly<Record<string, number | boolean | undefined>>;
  const attributes = Object.entries(fields[info.kind]).flatMap(([name, [type, width]]): Attribute[] => {
    const value = values[name];
    return value === undefined ? [] : [{ type, value: width.write(Number(value)) }];
  });
  if (info.kind === "bond") {
    for (const [name, type] of Object.entries(addressLists)) {
      const targets = info[name as keyof typeof addressLists];
      if (targets === undefined) continue;
      attributes.push({ type, value: targets.map((target, index) => ({ type: index, value: addressBytes(target) })) });
    }
  }
  if (info.kind === "veth" && info.peer !== undefined) {
    attributes.push({ type: VETH_INFO_PEER, value: encodePeer(info.peer, namespace) });
  }
  return attributes;
}

function encodePeer(peer: VethPeer, namespace: NamespaceAttribute): Buffer {
  const attributes: Attribute[] = [{ type: ifla.IFNAME, value: text(peer.name) }];
  if (peer.hardwareAddress !== undefined) {
    attributes.push({ type: ifla.ADDRESS, value: encodeMac(peer.hardwareAddress) });
  }
  if (peer.networkNamespace !== undefined) attributes.push(namespace(peer.networkNamespace));
  return Buffer.concat([Buffer.alloc(IFINFOMSG), encodeAttributes(attributes)]);
}

/** The settings of a link of a known kind; `undefined` for every other kind. */
export function decodeLinkInfo(kind: string, attributes: Attributes): LinkInfo | undefined {
  if (!Object.hasOwn(fields, kind)) return undefined;
  const info: Record<string, number | boolean | string | readonly string[]> = { kind };
  for (const [name, [type, width]] of Object.entries(fields[kind as LinkKind])) {
    const value = width.read(attributes, type);
    if (value !== undefined) info[name] = width.boolean === true ? value !== 0 : value;
  }
  for (const [name, type] of kind === "bond" ? Object.entries(addressLists) : []) {
    const list = attributes.get(type);
    if (list !== undefined) info[name] = parseAttributeList(list).map(([, bytes]) => formatAddress(bytes));
  }
  return info as unknown as LinkInfo;
}
