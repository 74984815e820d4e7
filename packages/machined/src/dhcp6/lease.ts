import { formatAddress } from "@talos-ts/base/net";
import type { Lease } from "../dhcp/lease.ts";
import { decodeOptions6, findOption6, options6, type Dhcp6Message } from "./message.ts";

/** A lease of DHCPv6: one address, and who gave it. */
export interface Lease6 extends Lease {
  /** DUID of the server. */
  readonly serverId: Buffer;
}

const forEver = 0xffff_ffff;
/** A longer time would not fit the timers, and nobody counts on it. */
const longestMs = 7 * 86_400_000;
const identityBytes = 12;
const addressOptionBytes = 24;

/** Suboptions of option 56 (RFC 5908). */
const ntpServer = { address: 1, name: 3 } as const;

/** Reads the lease of an advertisement or a reply; `undefined` when it grants no address or refuses. */
export function leaseOf6({ options }: Dhcp6Message): Lease6 | undefined {
  const serverId = findOption6(options, options6.serverId);
  const identity = findOption6(options, options6.addresses);
  if (serverId === undefined || isRefusal(findOption6(options, options6.status))) return undefined;
  if (identity === undefined || identity.length < identityBytes) return undefined;
  const inside = decodeOptions6(identity.subarray(identityBytes));
  const granted = findOption6(inside, options6.address);
  if (isRefusal(findOption6(inside, options6.status)) || granted === undefined) return undefined;
  if (granted.length < addressOptionBytes || granted.readUInt32BE(20) === 0) return undefined;
  const milliseconds = (seconds: number): number =>
    seconds === forEver ? longestMs : Math.min(seconds * 1000, longestMs);
  const expiresMs = milliseconds(granted.readUInt32BE(20));
  const within = (seconds: number, otherwise: number): number =>
    seconds === 0 || milliseconds(seconds) >= expiresMs ? otherwise : milliseconds(seconds);
  const fqdn = domainNames(findOption6(options, options6.fqdn)?.subarray(1))[0] ?? "";
  return {
    serverId: Buffer.from(serverId),
    server: serverId.toString("hex"),
    address: `${formatAddress(granted.subarray(0, 16))}/128`,
    // Routes come from router advertisements, which the kernel handles.
    routes: [],
    dnsServers: addresses(findOption6(options, options6.dns)),
    timeServers: timeServers(options),
    searchDomains: domainNames(findOption6(options, options6.search)),
    hostname: fqdn,
    domain: "",
    mtu: 0,
    renewMs: within(identity.readUInt32BE(4), expiresMs / 2),
    rebindMs: within(identity.readUInt32BE(8), (expiresMs * 4) / 5),
    expiresMs,
  };
}

/** Option 13: two bytes of a code, zero is success. */
const isRefusal = (status: Buffer | undefined): boolean =>
  status !== undefined && status.length >= 2 && status.readUInt16BE() !== 0;

function timeServers(options: Dhcp6Message["options"]): readonly string[] {
  const ntp = options
    .filter(([code]) => code === options6.ntp)
    .flatMap(([, value]) => decodeOptions6(value))
    .flatMap(([kind, value]) => {
      if (kind === ntpServer.address) return addresses(value);
      return kind === ntpServer.name ? domainNames(value) : [];
    });
  return ntp.length > 0 ? ntp : addresses(findOption6(options, options6.sntp));
}

function addresses(bytes: Buffer = Buffer.alloc(0)): readonly string[] {
  return Array.from({ length: Math.floor(bytes.length / 16) }, (_, index) =>
    formatAddress(bytes.subarray(index * 16, index * 16 + 16)),
  );
}

/** Names of DNS in full form; DHCPv6 has no pointers (RFC 8415, section 10). */
function domainNames(bytes: Buffer = Buffer.alloc(0)): readonly string[] {
  const names: string[] = [];
  let labels: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    if (length > 63) break;
    if (length === 0) {
      if (labels.length > 0) names.push(labels.join("."));
      labels = [];
    } else labels.push(bytes.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += 1 + length;
  }
  if (labels.length > 0) names.push(labels.join("."));
  return names;
}
