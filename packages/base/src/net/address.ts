import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { OsError } from "../error.ts";

/** Special-purpose ranges (RFC 6890) by the names of ipaddr.js; `unicast` is everything else. */
export type AddressRange = ReturnType<ipaddr.IPv4["range"]> | ReturnType<ipaddr.IPv6["range"]>;

/** Reports whether text is an IPv4 or IPv6 address; an IPv6 address may have a zone (`fe80::1%eth0`). */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** Reports whether text is an IPv6 address or prefix. */
export function isIPv6(text: string): boolean {
  return isIP(text.replace(/\/\d+$/, "")) === 6;
}

/**
 * Converts an address to its 4 or 16 bytes in network order; a zone is dropped.
 *
 * @throws OsError `network/bad-address`
 */
export function addressBytes(address: string): Buffer {
  return Buffer.from(parse(address).toByteArray());
}

/**
 * Formats 4 or 16 bytes in network order as canonical text: RFC 5952 for IPv6, with IPv4-mapped addresses in the mixed notation
 * of its section 5 (`::ffff:10.0.0.1`), as Go's `netip` prints them.
 *
 * @throws OsError `network/bad-address` for any other number of bytes.
 */
export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) throw badAddress(`${String(bytes.length)} bytes`);
  const address = new ipaddr.IPv6([...bytes]);
  return address.isIPv4MappedAddress() ? `::ffff:${address.toIPv4Address().toString()}` : address.toRFC5952String();
}

/**
 * Rewrites an address to the text `formatAddress` gives; a zone is dropped.
 *
 * @throws OsError `network/bad-address`
 */
export function canonicalAddress(address: string): string {
  return formatAddress(addressBytes(address));
}

/**
 * Rewrites an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) to the IPv4 address, as a dual-stack socket reports its peers;
 * other addresses become canonical. A zone is dropped.
 *
 * @throws OsError `network/bad-address`
 */
export function unmapAddress(address: string): string {
  const parsed = parse(address);
  return (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed).toString();
}

/** Compares addresses for sorting: IPv4 before IPv6, then by numeric value. */
export function compareAddresses(a: string, b: string): number {
  const left = addressBytes(a);
  const right = addressBytes(b);
  return left.length - right.length || Buffer.compare(left, right);
}

/** Gives the special-purpose range an address is in. @throws OsError `network/bad-address` */
export function rangeOf(address: string): AddressRange {
  return parse(address).range();
}

/** Reports whether an address is a multicast group. @throws OsError `network/bad-address` */
export function isMulticast(address: string): boolean {
  return rangeOf(address) === "multicast";
}

/**
 * Reports whether an address is on the SideroLink management tunnel: a unique local IPv6 address (RFC 4193, `fd00::/8`) whose
 * eighth byte is 3. Text that is no IPv6 address is not.
 */
export function isSideroLink(address: string): boolean {
  if (isIP(address) !== 6) return false;
  const bytes = addressBytes(address);
  return bytes[0] === 0xfd && bytes[7] === 0x03;
}

/** Parses with the strict syntax of `node:net`: ipaddr.js alone also takes `10.1` and `0x7f.1`. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (isIP(address) === 0) throw badAddress(JSON.stringify(address));
  return ipaddr.parse(address.split("%", 1)[0] ?? "");
}

function badAddress(what: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "network/bad-address",
    message: `Cannot read ${what} as an IP address`,
  });
}
