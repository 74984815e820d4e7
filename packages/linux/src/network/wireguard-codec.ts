import { addressBytes, formatAddress, parsePrefix } from "@talos-ts/base/net";
import { hostPort } from "@talos-ts/base";
import { malformed } from "../ffi/errno.ts";
import { parseAttributeList, parseAttributes, type Attribute } from "../netlink/attributes.ts";
import { readU16, readU32, readU8, u16, u32, u8 } from "../netlink/values.ts";
import type { WireguardDevice, WireguardPeer, WireguardSettings } from "./wireguard.ts";

/** Attributes of linux/wireguard.h. */
const device = { IFINDEX: 1, PRIVATE_KEY: 3, PUBLIC_KEY: 4, FLAGS: 5, LISTEN_PORT: 6, FWMARK: 7, PEERS: 8 } as const;
const peer = { PUBLIC_KEY: 1, PRESHARED_KEY: 2, FLAGS: 3, ENDPOINT: 4, KEEPALIVE: 5, ALLOWEDIPS: 9 } as const;
const allowed = { FAMILY: 1, ADDRESS: 2, MASK: 3 } as const;

const REPLACE_PEERS = 1;
const REPLACE_ALLOWEDIPS = 2;
const AF_INET = 2;
const AF_INET6 = 10;
const keyBytes = 32;
const noKey = Buffer.alloc(keyBytes);

/** Attributes of a request about a link, without further settings. */
export function wireguardLink(linkIndex: number): readonly Attribute[] {
  return [{ type: device.IFINDEX, value: u32(linkIndex) }];
}

/** Attributes that replace all settings of a link. A key of zeros removes it. */
export function encodeWireguard(linkIndex: number, settings: WireguardSettings): readonly Attribute[] {
  return [
    ...wireguardLink(linkIndex),
    { type: device.FLAGS, value: u32(REPLACE_PEERS) },
    { type: device.PRIVATE_KEY, value: encodeKey(settings.privateKey) },
    { type: device.LISTEN_PORT, value: u16(settings.listenPort) },
    { type: device.FWMARK, value: u32(settings.firewallMark) },
    { type: device.PEERS, value: settings.peers.map((entry) => ({ type: 0, value: encodePeer(entry) })) },
  ];
}

function encodePeer(entry: WireguardPeer): readonly Attribute[] {
  return [
    { type: peer.PUBLIC_KEY, value: encodeKey(entry.publicKey) },
    { type: peer.FLAGS, value: u32(REPLACE_ALLOWEDIPS) },
    { type: peer.PRESHARED_KEY, value: encodeKey(entry.presharedKey) },
    ...(entry.endpoint === "" ? [] : [{ type: peer.ENDPOINT, value: encodeEndpoint(entry.endpoint) }]),
    { type: peer.KEEPALIVE, value: u16(entry.keepaliveSeconds) },
    { type: peer.ALLOWEDIPS, value: entry.allowedIps.map((prefix) => ({ type: 0, value: encodePrefix(prefix) })) },
  ];
}

function encodePrefix(text: string): readonly Attribute[] {
  const { address, length } = parsePrefix(text);
  const bytes = addressBytes(address);
  return [
    { type: allowed.FAMILY, value: u16(bytes.length === 4 ? AF_INET : AF_INET6) },
    { type: allowed.ADDRESS, value: bytes },
    { type: allowed.MASK, value: u8(length) },
  ];
}

/** struct sockaddr_in or sockaddr_in6 */
function encodeEndpoint(endpoint: string): Buffer {
  const [, v6, v4 = "", port = "0"] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(endpoint) ?? [];
  const bytes = addressBytes(v6 ?? v4);
  const address = Buffer.alloc(bytes.length === 4 ? 16 : 28);
  address.writeUInt16LE(bytes.length === 4 ? AF_INET : AF_INET6, 0);
  address.writeUInt16BE(Number(port), 2);
  address.set(bytes, bytes.length === 4 ? 4 : 8);
  return address;
}

function decodeEndpoint(address: Buffer | undefined): string {
  if (address === undefined || address.length < 16) return "";
  const v4 = address.readUInt16LE(0) === AF_INET;
  if (!v4 && address.length < 24) return "";
  return hostPort(formatAddress(v4 ? address.subarray(4, 8) : address.subarray(8, 24)), address.readUInt16BE(2));
}

/**
 * Reads the answers about a link. A long list of peers comes in several messages, and a peer with many networks may continue in
 * the next one.
 */
export function decodeWireguard(answers: readonly Buffer[]): WireguardDevice {
  let found: WireguardDevice = { privateKey: "", publicKey: "", listenPort: 0, firewallMark: 0, peers: [] };
  const peers = new Map<string, WireguardPeer>();
  for (const answer of answers) {
    const attributes = parseAttributes(answer);
    found = {
      privateKey: decodeKey(attributes.get(device.PRIVATE_KEY)) || found.privateKey,
      publicKey: decodeKey(attributes.get(device.PUBLIC_KEY)) || found.publicKey,
      listenPort: readU16(attributes, device.LISTEN_PORT) ?? found.listenPort,
      firewallMark: readU32(attributes, device.FWMARK) ?? found.firewallMark,
      peers: [],
    };
    for (const [, bytes] of parseAttributeList(attributes.get(device.PEERS) ?? Buffer.alloc(0))) {
      const entry = decodePeer(bytes);
      const known = peers.get(entry.publicKey);
      const allowedIps = [...(known?.allowedIps ?? []), ...entry.allowedIps];
      peers.set(entry.publicKey, { ...(known ?? entry), allowedIps });
    }
  }
  return { ...found, peers: [...peers.values()] };
}

function decodePeer(bytes: Buffer): WireguardPeer {
  const attributes = parseAttributes(bytes);
  const prefixes = parseAttributeList(attributes.get(peer.ALLOWEDIPS) ?? Buffer.alloc(0));
  return {
    publicKey: decodeKey(attributes.get(peer.PUBLIC_KEY)),
    presharedKey: decodeKey(attributes.get(peer.PRESHARED_KEY)),
    endpoint: decodeEndpoint(attributes.get(peer.ENDPOINT)),
    keepaliveSeconds: readU16(attributes, peer.KEEPALIVE) ?? 0,
    allowedIps: prefixes.map(([, prefix]) => decodePrefix(prefix)),
  };
}

function decodePrefix(bytes: Buffer): string {
  const attributes = parseAttributes(bytes);
  const address = attributes.get(allowed.ADDRESS);
  if (address === undefined) throw malformed("netlink", "an allowed network of a WireGuard peer: it has no address");
  return `${formatAddress(address)}/${String(readU8(attributes, allowed.MASK) ?? 0)}`;
}

function encodeKey(text: string): Buffer {
  return text === "" ? noKey : Buffer.from(text, "base64");
}

/** A key of zeros stands for none. */
function decodeKey(bytes: Buffer | undefined): string {
  return bytes === undefined || bytes.equals(noKey) ? "" : bytes.toString("base64");
}
