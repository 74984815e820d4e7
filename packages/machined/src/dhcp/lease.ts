import { formatAddress, maskPrefix } from "@talos-ts/base/net";
import { options, type DhcpMessage } from "./message.ts";

/** Describes what a server grants. */
export interface Lease {
  readonly server: string;
  /** Address with the length of its network. */
  readonly address: string;
  readonly routes: readonly LeaseRoute[];
  readonly dnsServers: readonly string[];
  readonly timeServers: readonly string[];
  readonly searchDomains: readonly string[];
  /** Empty when the server gives none. */
  readonly hostname: string;
  readonly domain: string;
  /** 0 when the server gives none. */
  readonly mtu: number;
  readonly renewMs: number;
  readonly rebindMs: number;
  readonly expiresMs: number;
}

export interface LeaseRoute {
  /** Empty for the default route. */
  readonly destination: string;
  /** Empty for a network on the link itself. */
  readonly gateway: string;
}

const forEver = 0xffff_ffff;
/** A longer time would not fit the timers, and nobody counts on it. */
const longestMs = 7 * 86_400_000;

/** Reads the lease in an offer or an acknowledgement; `undefined` when it lacks the address or the server. */
export function leaseOf({ yourAddress, options: given }: DhcpMessage): Lease | undefined {
  const server = given.get(options.server);
  if (yourAddress === "0.0.0.0" || server?.length !== 4) return undefined;
  const seconds = (code: number): number | undefined => {
    const bytes = given.get(code);
    return bytes?.length === 4 ? bytes.readUInt32BE() : undefined;
  };
  const granted = seconds(options.leaseSeconds) ?? 3600;
  const expiresMs = granted === forEver ? longestMs : Math.min(granted * 1000, longestMs);
  const within = (value: number | undefined, otherwise: number): number =>
    value === undefined || value * 1000 >= expiresMs ? otherwise : value * 1000;
  const text = (code: number): string => (given.get(code)?.toString("latin1") ?? "").replace(/\0+$/, "");
  const mtu = given.get(options.mtu);
  const domain = text(options.domain);
  const search = domainNames(given.get(options.search));
  return {
    server: formatAddress(server),
    address: `${yourAddress}/${String(maskLength(given.get(options.subnetMask)))}`,
    routes: routesOf(given),
    dnsServers: addresses(given.get(options.dns)),
    timeServers: addresses(given.get(options.ntp)),
    searchDomains: search.length > 0 || domain === "" ? search : [domain],
    hostname: text(options.hostname),
    domain,
    mtu: mtu?.length === 2 ? mtu.readUInt16BE() : 0,
    renewMs: within(seconds(options.renewSeconds), expiresMs / 2),
    rebindMs: within(seconds(options.rebindSeconds), (expiresMs * 7) / 8),
    expiresMs,
  };
}

function maskLength(mask: Buffer | undefined): number {
  if (mask?.length !== 4) return 32;
  return [...mask].reduce((bits, byte) => bits + byte.toString(2).replaceAll("0", "").length, 0);
}

function addresses(bytes: Buffer | undefined): readonly string[] {
  const count = Math.floor((bytes?.length ?? 0) / 4);
  return Array.from({ length: count }, (_, index) =>
    formatAddress((bytes ?? Buffer.alloc(0)).subarray(index * 4, index * 4 + 4)),
  );
}

/** Classless routes replace the routers where a server gives both (RFC 3442). */
function routesOf(given: ReadonlyMap<number, Buffer>): readonly LeaseRoute[] {
  const bytes = given.get(options.classlessRoutes);
  if (bytes === undefined)
    return addresses(given.get(options.router))
      .slice(0, 1)
      .map((gateway) => ({ destination: "", gateway }));
  const routes: LeaseRoute[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = bytes.readUInt8(offset);
    const size = Math.ceil(length / 8);
    if (length > 32 || offset + 1 + size + 4 > bytes.length) break;
    const network = Buffer.alloc(4);
    bytes.copy(network, 0, offset + 1, offset + 1 + size);
    const gateway = formatAddress(bytes.subarray(offset + 1 + size, offset + 5 + size));
    routes.push({
      destination: length === 0 ? "" : maskPrefix(`${formatAddress(network)}/${String(length)}`),
      gateway: gateway === "0.0.0.0" ? "" : gateway,
    });
    offset += 5 + size;
  }
  return routes;
}

/** Domain names as in DNS, with pointers into the option itself (RFC 3397). */
function domainNames(bytes: Buffer | undefined): readonly string[] {
  if (bytes === undefined) return [];
  const names: string[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const labels: string[] = [];
    let at = offset;
    let jumped = false;
    for (let steps = 0; steps < 128; steps += 1) {
      const length = bytes[at] ?? 0;
      if (length >= 0xc0) {
        if (!jumped) offset = at + 2;
        jumped = true;
        at = ((length & 0x3f) << 8) | (bytes[at + 1] ?? 0);
        continue;
      }
      at += 1 + length;
      if (length === 0) break;
      labels.push(bytes.subarray(at - length, at).toString("latin1"));
    }
    if (!jumped) offset = at;
    if (labels.length > 0) names.push(labels.join("."));
  }
  return names;
}
