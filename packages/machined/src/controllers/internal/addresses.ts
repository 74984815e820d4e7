import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The address of `10.5.0.2/24`. */
export function addressOf(prefix: string): string {
  return prefix.replace(/\/\d+$/, "");
}

export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

export function isIPv6(text: string): boolean {
  return isIP(addressOf(text)) === 6;
}

/** IPv4 before IPv6, then by number. */
export function compareAddresses(a: string, b: string): number {
  const left = ipaddr.parse(a).toByteArray();
  const right = ipaddr.parse(b).toByteArray();
  return left.length - right.length || Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Whether an address lies in a subnet, given as `10.244.0.0/16`; never across families. */
export function subnetContains(subnet: string, address: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(subnet);
  const candidate = ipaddr.parse(addressOf(address));
  return candidate.kind() === network.kind() && candidate.match([network, bits]);
}

/** The address that many after the first one of a subnet. */
export function nthAddress(subnet: string, index: number): string {
  const [network, bits] = ipaddr.parseCIDR(subnet);
  const bytes = network.toByteArray();
  for (let at = 0; at < bytes.length; at += 1) {
    const keep = Math.min(8, Math.max(0, bits - at * 8));
    bytes[at] = (bytes[at] ?? 0) & (0xff << (8 - keep));
  }
  let carry = index;
  for (let at = bytes.length - 1; at >= 0 && carry > 0; at -= 1) {
    const sum = (bytes[at] ?? 0) + carry;
    bytes[at] = sum & 0xff;
    carry = sum >> 8;
  }
  return ipaddr.fromByteArray(bytes).toString();
}

/** Whether an address belongs to the tunnel of a management system: unique local, and its eighth byte says so. */
export function isSiderolinkAddress(address: string): boolean {
  const bytes = ipaddr.parse(address).toByteArray();
  return bytes.length === 16 && bytes[0] === 0xfd && bytes[7] === 0x03;
}

/**
 * Addresses in the order of the subnets that contain them; a subnet that begins with `!` excludes. Without any subnet that
 * includes, all are taken. A bare address stands for itself.
 */
export function filterAddresses(addresses: readonly string[], subnets: readonly string[]): readonly string[] {
  const whole = (subnet: string): string =>
    subnet.includes("/") ? subnet : `${subnet}/${isIPv6(subnet) ? "128" : "32"}`;
  const excluded = subnets.filter((subnet) => subnet.startsWith("!")).map((subnet) => whole(subnet.slice(1)));
  const included = subnets.filter((subnet) => !subnet.startsWith("!")).map(whole);
  const left = addresses.filter((address) => !excluded.some((subnet) => subnetContains(subnet, address)));
  if (included.length === 0) return left;
  return [...new Set(included.flatMap((subnet) => left.filter((address) => subnetContains(subnet, address))))];
}
