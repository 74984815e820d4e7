import { malformed } from "../ffi/errno.ts";
import { encodeAttributes, parseAttributes, type Attribute } from "../netlink/attributes.ts";
import { readText, readU32, text, u32 } from "../netlink/values.ts";
import type { Address, AddressSpec } from "./address.ts";
import { families, type Family, familyOf } from "./family.ts";
import { addressBytes, formatAddress, parsePrefix } from "@talos-ts/base/net";

const IFADDRMSG = 8;
const FOREVER = 0xffffffff;

const ifa = {
  ADDRESS: 1,
  LOCAL: 2,
  LABEL: 3,
  BROADCAST: 4,
  ANYCAST: 5,
  CACHEINFO: 6,
  MULTICAST: 7,
  FLAGS: 8,
  RT_PRIORITY: 9,
} as const;

export function encodeAddressHeader(family: Family): Buffer {
  const header = Buffer.alloc(IFADDRMSG);
  header.writeUInt8(families[family], 0);
  return header;
}

/** The payload of NEWADDR and DELADDR. */
export function encodeAddress(spec: AddressSpec): Buffer {
  const { address, length } = parsePrefix(spec.address);
  const header = encodeAddressHeader(familyOf(address));
  header.writeUInt8(length, 1);
  header.writeUInt8(spec.scope ?? 0, 3);
  header.writeUInt32LE(spec.linkIndex, 4);
  const bytes = addressBytes(address);
  const attributes: Attribute[] = [
    { type: ifa.LOCAL, value: bytes },
    { type: ifa.ADDRESS, value: bytes },
  ];
  if (spec.broadcast !== undefined) attributes.push({ type: ifa.BROADCAST, value: addressBytes(spec.broadcast) });
  if (spec.label !== undefined) attributes.push({ type: ifa.LABEL, value: text(spec.label) });
  if (spec.flags !== undefined) attributes.push({ type: ifa.FLAGS, value: u32(spec.flags) });
  if (spec.priority !== undefined && spec.priority !== 0) {
    attributes.push({ type: ifa.RT_PRIORITY, value: u32(spec.priority) });
  }
  if (spec.validSeconds !== undefined || spec.preferredSeconds !== undefined) {
    const valid = spec.validSeconds ?? FOREVER;
    const preferred = spec.preferredSeconds ?? valid;
    attributes.push({
      type: ifa.CACHEINFO,
      value: Buffer.concat([u32(preferred), u32(valid), Buffer.alloc(8)]),
    });
  }
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

/** @throws OsError `netlink/malformed`; `undefined` for families other than IP. */
export function decodeAddress(payload: Buffer): Address | undefined {
  if (payload.length < IFADDRMSG) throw malformed("netlink", "an address message: it is too short");
  const family = familyOfNumber(payload.readUInt8(0));
  if (family === undefined) return undefined;
  const attributes = parseAttributes(payload.subarray(IFADDRMSG));
  const ip = (type: number): string | undefined => {
    const bytes = attributes.get(type);
    return bytes === undefined ? undefined : formatAddress(bytes);
  };
  const address = ip(ifa.ADDRESS) ?? ip(ifa.LOCAL);
  if (address === undefined) throw malformed("netlink", "an address message: it holds no address");
  const cache = attributes.get(ifa.CACHEINFO);
  const lifetimes = cache !== undefined && cache.length >= 8 ? cache : Buffer.alloc(8, 0xff);
  return {
    family,
    address: `${address}/${String(payload.readUInt8(1))}`,
    local: ip(ifa.LOCAL),
    broadcast: ip(ifa.BROADCAST),
    anycast: ip(ifa.ANYCAST),
    multicast: ip(ifa.MULTICAST),
    label: readText(attributes, ifa.LABEL),
    linkIndex: payload.readUInt32LE(4),
    scope: payload.readUInt8(3),
    flags: readU32(attributes, ifa.FLAGS) ?? payload.readUInt8(2),
    priority: readU32(attributes, ifa.RT_PRIORITY) ?? 0,
    preferredSeconds: lifetimes.readUInt32LE(0),
    validSeconds: lifetimes.readUInt32LE(4),
  };
}

export function familyOfNumber(number: number): Family | undefined {
  if (number === families.inet4) return "inet4";
  return number === families.inet6 ? "inet6" : undefined;
}
