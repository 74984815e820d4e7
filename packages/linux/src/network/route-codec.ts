import { OsError } from "@talos-ts/base";
import { malformed } from "../ffi/errno.ts";
import { encodeAttributes, parseAttributes, type Attribute } from "../netlink/attributes.ts";
import { readU32, u32 } from "../netlink/values.ts";
import { familyOfNumber } from "./address-codec.ts";
import { families, type Family, familyOf } from "./family.ts";
import { addressBytes, formatAddress, maskPrefix, parsePrefix } from "@talos-ts/base/net";
import { routeTables, scopes, type NextHop, type Route, type RouteSpec } from "./route.ts";

const RTMSG = 12;
const RTNEXTHOP = 8;
const RTAX_MTU = 2;

const rta = {
  DST: 1,
  OIF: 4,
  GATEWAY: 5,
  PRIORITY: 6,
  PREFSRC: 7,
  METRICS: 8,
  MULTIPATH: 9,
  TABLE: 15,
  VIA: 18,
} as const;

export function encodeRouteHeader(family: Family): Buffer {
  const header = Buffer.alloc(RTMSG);
  header.writeUInt8(families[family], 0);
  return header;
}

export function routeFamily(spec: RouteSpec): Family {
  const clue = spec.destination ?? spec.gateway ?? spec.source ?? spec.nextHops?.find((hop) => hop.gateway)?.gateway;
  const family = spec.family ?? (clue === undefined ? undefined : familyOf(clue.split("/", 1)[0] ?? ""));
  if (family !== undefined) return family;
  throw new OsError({
    kind: "invalid-argument",
    code: "network/no-family",
    message: "Cannot determine the address family of a route without destination, gateway and source",
  });
}

/** Returns what `ip route` would choose: link scope for a route without gateway. */
export function routeScope(spec: RouteSpec): number {
  const direct = spec.gateway === undefined && (spec.nextHops ?? []).length === 0;
  return (
    spec.scope ?? (direct && routeFamily(spec) === "inet4" && (spec.type ?? 1) === 1 ? scopes.link : scopes.global)
  );
}

/** Values that are sent where a route says nothing: the defaults of a new one, and "any" for one to be deleted. */
const unsaid = {
  add: { protocol: 3, type: 1, scope: routeScope },
  delete: { protocol: 0, type: 0, scope: () => scopes.nowhere },
} as const;

/** The payload of NEWROUTE and DELROUTE. */
export function encodeRoute(spec: RouteSpec, purpose: "add" | "delete" = "add"): Buffer {
  const absent = unsaid[purpose];
  const family = routeFamily(spec);
  const header = encodeRouteHeader(family);
  const table = spec.table ?? routeTables.main;
  const attributes: Attribute[] = [{ type: rta.TABLE, value: u32(table) }];
  if (spec.destination !== undefined) {
    const { address, length } = parsePrefix(maskPrefix(spec.destination));
    header.writeUInt8(length, 1);
    if (length > 0) attributes.push({ type: rta.DST, value: addressBytes(address) });
  }
  header.writeUInt8(table < 256 ? table : 0, 4);
  header.writeUInt8(spec.protocol ?? absent.protocol, 5);
  header.writeUInt8(spec.scope ?? absent.scope(spec), 6);
  header.writeUInt8(spec.type ?? absent.type, 7);
  header.writeUInt32LE(spec.flags ?? 0, 8);
  if (spec.gateway !== undefined) attributes.push({ type: rta.GATEWAY, value: addressBytes(spec.gateway) });
  if (spec.source !== undefined) attributes.push({ type: rta.PREFSRC, value: addressBytes(spec.source) });
  if (spec.linkIndex !== undefined) attributes.push({ type: rta.OIF, value: u32(spec.linkIndex) });
  if (spec.priority !== undefined && spec.priority !== 0) {
    attributes.push({ type: rta.PRIORITY, value: u32(spec.priority) });
  }
  if (spec.mtu !== undefined && spec.mtu !== 0) {
    attributes.push({ type: rta.METRICS, value: [{ type: RTAX_MTU, value: u32(spec.mtu) }] });
  }
  if (spec.nextHops !== undefined && spec.nextHops.length > 0) {
    attributes.push({ type: rta.MULTIPATH, value: Buffer.concat(spec.nextHops.map(encodeNextHop)) });
  }
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

function encodeNextHop(hop: { gateway?: string; linkIndex: number; weight?: number }): Buffer {
  const attributes = encodeAttributes(
    hop.gateway === undefined ? [] : [{ type: rta.GATEWAY, value: addressBytes(hop.gateway) }],
  );
  const header = Buffer.alloc(RTNEXTHOP);
  header.writeUInt16LE(RTNEXTHOP + attributes.length, 0);
  header.writeUInt8((hop.weight ?? 1) - 1, 3);
  header.writeInt32LE(hop.linkIndex, 4);
  return Buffer.concat([header, attributes]);
}

function decodeNextHops(bytes: Buffer): readonly NextHop[] {
  const hops: NextHop[] = [];
  for (let offset = 0; offset + RTNEXTHOP <= bytes.length;) {
    const length = bytes.readUInt16LE(offset);
    if (length < RTNEXTHOP || offset + length > bytes.length) {
      throw malformed("netlink", "a next hop: its length does not fit its route", { offset, length });
    }
    const gateway = parseAttributes(bytes.subarray(offset + RTNEXTHOP, offset + length)).get(rta.GATEWAY);
    hops.push({
      gateway: gateway === undefined ? undefined : formatAddress(gateway),
      linkIndex: bytes.readInt32LE(offset + 4),
      weight: bytes.readUInt8(offset + 3) + 1,
    });
    offset += (length + 3) & ~3;
  }
  return hops;
}

/** An IPv4 route may point to an IPv6 gateway: struct rtvia holds its own family. */
function decodeVia(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined || bytes.length < 6 ? undefined : formatAddress(bytes.subarray(2));
}

/** @throws OsError `netlink/malformed`; `undefined` for families other than IP. */
export function decodeRoute(payload: Buffer): Route | undefined {
  if (payload.length < RTMSG) throw malformed("netlink", "a route message: it is too short");
  const family = familyOfNumber(payload.readUInt8(0));
  if (family === undefined) return undefined;
  const attributes = parseAttributes(payload.subarray(RTMSG));
  const ip = (type: number): string | undefined => {
    const bytes = attributes.get(type);
    return bytes === undefined ? undefined : formatAddress(bytes);
  };
  const destination = ip(rta.DST);
  const metrics = attributes.get(rta.METRICS);
  return {
    family,
    destination: destination === undefined ? undefined : `${destination}/${String(payload.readUInt8(1))}`,
    source: ip(rta.PREFSRC),
    gateway: ip(rta.GATEWAY) ?? decodeVia(attributes.get(rta.VIA)),
    linkIndex: readU32(attributes, rta.OIF) ?? 0,
    table: readU32(attributes, rta.TABLE) ?? payload.readUInt8(4),
    priority: readU32(attributes, rta.PRIORITY) ?? 0,
    scope: payload.readUInt8(6),
    type: payload.readUInt8(7),
    flags: payload.readUInt32LE(8),
    protocol: payload.readUInt8(5),
    mtu: metrics === undefined ? 0 : (readU32(parseAttributes(metrics), RTAX_MTU) ?? 0),
    nextHops: decodeNextHops(attributes.get(rta.MULTIPATH) ?? Buffer.alloc(0)),
  };
}
