import { fromCString } from "../ffi/c-string.ts";
import { malformed } from "../ffi/errno.ts";
import { encodeAttributes, parseAttributeList, parseAttributes, type Attribute } from "../netlink/attributes.ts";
import { readText, readU32, readU8, text, u32 } from "../netlink/values.ts";
import { decodeMac, encodeMac } from "./hardware-address.ts";
import { ifla, iflaInfo } from "./link-attributes.ts";
import { decodeLinkInfo, encodeLinkInfo, type NamespaceAttribute } from "./link-info-codec.ts";
import { linkFlags, type Link, type LinkChange, type LinkCreate, type LinkInfo, type LinkStatistics } from "./link.ts";

const IFINFOMSG = 16;

/** struct ifinfomsg */
export function encodeLinkHeader(index = 0, flags = 0, change = 0): Buffer {
  const header = Buffer.alloc(IFINFOMSG);
  header.writeInt32LE(index, 4);
  header.writeUInt32LE(flags >>> 0, 8);
  header.writeUInt32LE(change >>> 0, 12);
  return header;
}

/** A request about the link of that name. */
export function encodeLinkByName(name: string): Buffer {
  return Buffer.concat([encodeLinkHeader(), encodeAttributes([{ type: ifla.IFNAME, value: text(name) }])]);
}

function infoAttribute(info: LinkInfo, namespace: NamespaceAttribute): Attribute {
  const data = encodeLinkInfo(info, namespace);
  return {
    type: ifla.LINKINFO,
    value: [
      { type: iflaInfo.KIND, value: text(info.kind) },
      ...(data.length === 0 ? [] : [{ type: iflaInfo.DATA, value: data }]),
    ],
  };
}

/** The payload of NEWLINK (with `index` 0, creating) or SETLINK. */
export function encodeLinkChange(
  index: number,
  change: LinkChange & Pick<Partial<LinkCreate>, "linkIndex">,
  namespace: NamespaceAttribute,
): Buffer {
  const bit = (wanted: boolean | undefined, flag: number): readonly [number, number] =>
    wanted === undefined ? [0, 0] : [wanted ? flag : 0, flag];
  const [up, upMask] = bit(change.up, linkFlags.up);
  const [multicast, multicastMask] = bit(change.multicast, linkFlags.multicast);
  const attributes: Attribute[] = [];
  if (change.name !== undefined) attributes.push({ type: ifla.IFNAME, value: text(change.name) });
  if (change.hardwareAddress !== undefined) {
    attributes.push({ type: ifla.ADDRESS, value: encodeMac(change.hardwareAddress) });
  }
  if (change.mtu !== undefined) attributes.push({ type: ifla.MTU, value: u32(change.mtu) });
  if (change.linkIndex !== undefined) attributes.push({ type: ifla.LINK, value: u32(change.linkIndex) });
  if (change.masterIndex !== undefined) attributes.push({ type: ifla.MASTER, value: u32(change.masterIndex) });
  if (change.alias !== undefined) attributes.push({ type: ifla.IFALIAS, value: text(change.alias) });
  if (change.networkNamespace !== undefined) attributes.push(namespace(change.networkNamespace));
  if (change.info !== undefined) attributes.push(infoAttribute(change.info, namespace));
  return Buffer.concat([encodeLinkHeader(index, up | multicast, upMask | multicastMask), encodeAttributes(attributes)]);
}

function decodeStatistics(bytes: Buffer | undefined): LinkStatistics | undefined {
  if (bytes === undefined || bytes.length < 64) return undefined;
  const at = (position: number): bigint => bytes.readBigUInt64LE(position * 8);
  return {
    receivedPackets: at(0),
    sentPackets: at(1),
    receivedBytes: at(2),
    sentBytes: at(3),
    receiveErrors: at(4),
    sendErrors: at(5),
    receiveDropped: at(6),
    sendDropped: at(7),
  };
}

const none = Buffer.alloc(0);

/** A link out of the payload of NEWLINK or DELLINK. @throws OsError `netlink/malformed` */
export function decodeLink(payload: Buffer): Link {
  if (payload.length < IFINFOMSG) throw malformed("netlink", "a link message: it is too short");
  const attributes = parseAttributes(payload.subarray(IFINFOMSG));
  const info = parseAttributes(attributes.get(ifla.LINKINFO) ?? none);
  const kind = readText(info, iflaInfo.KIND) ?? "";
  return {
    index: payload.readInt32LE(4),
    name: readText(attributes, ifla.IFNAME) ?? "",
    type: payload.readUInt16LE(2),
    flags: payload.readUInt32LE(8),
    mtu: readU32(attributes, ifla.MTU) ?? 0,
    hardwareAddress: decodeMac(attributes.get(ifla.ADDRESS) ?? none),
    permanentAddress: decodeMac(attributes.get(ifla.PERM_ADDRESS) ?? none),
    broadcastAddress: decodeMac(attributes.get(ifla.BROADCAST) ?? none),
    linkIndex: readU32(attributes, ifla.LINK) ?? 0,
    masterIndex: readU32(attributes, ifla.MASTER) ?? 0,
    operationalState: readU8(attributes, ifla.OPERSTATE) ?? 0,
    queueDiscipline: readText(attributes, ifla.QDISC) ?? "",
    alias: readText(attributes, ifla.IFALIAS) ?? "",
    alternativeNames: parseAttributeList(attributes.get(ifla.PROP_LIST) ?? none)
      .filter(([type]) => type === ifla.ALT_IFNAME)
      .map(([, value]) => fromCString(value)),
    kind,
    slaveKind: readText(info, iflaInfo.SLAVE_KIND) ?? "",
    info: decodeLinkInfo(kind, parseAttributes(info.get(iflaInfo.DATA) ?? none)),
    carrier: readU8(attributes, ifla.CARRIER) === 1,
    statistics: decodeStatistics(attributes.get(ifla.STATS64)),
  };
}
