import type { StaticHost } from "@talos-ts/machinery/config";

/** libc reads no more servers than this. */
const maxServers = 3;

/** Names of this machine first, then those of the configuration by address. */
export function renderHosts(entries: { readonly own?: StaticHost; readonly extra: readonly StaticHost[] }): string {
  const byAddress = new Map<string, string[]>();
  for (const { address, hostnames } of entries.extra)
    byAddress.set(address, [...(byAddress.get(address) ?? []), ...hostnames]);
  const extra = [...byAddress]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, hostnames]) => ({ address, hostnames }));
  const all: readonly StaticHost[] = [
    { address: "127.0.0.1", hostnames: ["localhost"] },
    ...(entries.own === undefined ? [] : [entries.own]),
    { address: "::1", hostnames: ["localhost", "ip6-localhost", "ip6-loopback"] },
    { address: "ff02::1", hostnames: ["ip6-allnodes"] },
    { address: "ff02::2", hostnames: ["ip6-allrouters"] },
    ...extra,
  ];
  const width = Math.max(...all.map(({ address }) => address.length)) + 1;
  return all.map(({ address, hostnames }) => `${address.padEnd(width)}${hostnames.join(" ")}\n`).join("");
}

export function renderResolvConf(resolvers: {
  readonly dnsServers: readonly string[];
  readonly searchDomains: readonly string[];
}): string {
  const servers = resolvers.dnsServers.slice(0, maxServers).map((server) => `nameserver ${server}\n`);
  const search = resolvers.searchDomains.length === 0 ? "" : `\nsearch ${resolvers.searchDomains.join(" ")}\n`;
  return servers.join("") + search;
}
