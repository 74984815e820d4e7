import { isIP } from "node:net";
import { OsError } from "../error.ts";
import { addressBytes, canonicalAddress, formatAddress } from "./address.ts";

/** An address with the number of leading bits that name its network, as in `10.5.0.2/24`. */
export interface Prefix {
  /** Canonical text; host bits are kept. */
  readonly address: string;
  /** 0 to 32 for IPv4, 0 to 128 for IPv6. */
  readonly length: number;
}

/**
 * Parses CIDR notation (RFC 4632, RFC 4291); an address without a length is the prefix of itself alone.
 *
 * @throws OsError `network/bad-address`
 */
export function parsePrefix(text: string): Prefix {
  const [plain = "", length] = text.split("/");
  const address = canonicalAddress(plain);
  const bits = isIP(address) === 4 ? 32 : 128;
  const parsed = length === undefined ? bits : Number(length);
  if (Number.isInteger(parsed) && parsed >= 0 && parsed <= bits && length !== "") return { address, length: parsed };
  throw new OsError({
    kind: "invalid-argument",
    code: "network/bad-address",
    message: `Cannot read "${text}" as a prefix: its length must be 0 to ${String(bits)}`,
  });
}

/** Reports whether text is an address with a prefix length. */
export function isPrefix(text: string): boolean {
  const [plain = "", bits = "", ...more] = text.split("/");
  const family = isIP(plain);
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Reports whether text is a prefix, or an address, which is the prefix of itself alone. */
export function isPrefixOrAddress(text: string): boolean {
  return isIP(text) !== 0 || isPrefix(text);
}

/** Gives the address part of a prefix: `10.5.0.2` of `10.5.0.2/24`. An address stays as it is. */
export function addressOf(prefix: string): string {
  return prefix.replace(/\/\d+$/, "");
}

/** Clears the host bits: `10.5.7.9/20` becomes `10.5.0.0/20`. @throws OsError `network/bad-address` */
export function maskPrefix(text: string): string {
  const { address, length } = parsePrefix(text);
  return `${formatAddress(networkBytes(address, length))}/${String(length)}`;
}

/** Reports whether an address (or the address of a prefix) is in a subnet; never across families. */
export function prefixContains(subnet: string, address: string): boolean {
  const { address: network, length } = parsePrefix(subnet);
  const [left, right] = [networkBytes(network, length), networkBytes(addressOf(address), length)];
  return left.length === right.length && left.equals(right);
}

/** Reports whether two prefixes have addresses in common. */
export function prefixesOverlap(a: string, b: string): boolean {
  return prefixContains(a, maskPrefix(b)) || prefixContains(b, maskPrefix(a));
}

/** Gives the address `index` after the first one of a subnet, which is the network address. @throws OsError `network/bad-address` */
export function nthAddress(subnet: string, index: number): string {
  const { address, length } = parsePrefix(subnet);
  const bytes = networkBytes(address, length);
  let carry = index;
  for (let at = bytes.length - 1; at >= 0 && carry > 0; at -= 1) {
    const sum = (bytes[at] ?? 0) + carry;
    bytes[at] = sum & 0xff;
    carry = Math.floor(sum / 256);
  }
  return formatAddress(bytes);
}

/** Gives the IPv4 broadcast address of a subnet; `undefined` for IPv6 and for /31 and /32 (RFC 3021). */
export function broadcastAddress(subnet: string): string | undefined {
  const { address, length } = parsePrefix(subnet);
  if (isIP(address) !== 4 || length >= 31) return undefined;
  const bytes = addressBytes(address);
  return formatAddress(bytes.map((byte, at) => byte | (0xff >> keptBits(length, at))));
}

function networkBytes(address: string, length: number): Buffer {
  return Buffer.from(addressBytes(address).map((byte, at) => byte & (0xff << (8 - keptBits(length, at)))));
}

/** Counts the leading bits of the byte at an index that belong to the network. */
function keptBits(length: number, index: number): number {
  return Math.min(8, Math.max(0, length - index * 8));
}
