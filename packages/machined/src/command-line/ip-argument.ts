import { isIPv4 } from "node:net";
import { OsError } from "@talos-ts/base";

/** Network settings of one `ip=` argument of the kernel; empty texts are settings that were left out. */
export interface IpArgument {
  /** Address with the length of its network, such as `10.5.0.2/24`. */
  readonly address: string;
  readonly gateway: string;
  readonly hostname: string;
  /** Name of the link. Empty for the first network card. */
  readonly link: string;
  readonly resolvers: readonly string[];
  readonly timeServers: readonly string[];
}

/**
 * Parses `ip=<client>:<server>:<gateway>:<netmask>:<hostname>:<device>:<autoconf>:<dns0>:<dns1>:<ntp0>`, as the kernel's own
 * documentation (nfsroot) has it. The server has no meaning here.
 *
 * @returns `undefined` for a value that asks for DHCP, which is the default anyway.
 * @throws OsError `cmdline/ip` for a value that names neither.
 */
export function parseIpArgument(value: string): IpArgument | undefined {
  const [client = "", , gateway = "", netmask = "", hostname = "", link = "", autoconf = "", ...servers] =
    value.split(":");
  if (/^(?:dhcp|on|any|)$/.test(client) && /^(?:dhcp|on|any|)$/.test(autoconf)) return undefined;
  const length = prefixLength(netmask);
  const addresses = [client, ...[gateway, ...servers].filter((text) => text !== "")];
  if (length === undefined || !addresses.every(isIPv4)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "cmdline/ip",
      message: `Cannot use the kernel argument "ip=${value}": expected ip=<address>::<gateway>:<netmask>:<hostname>:<link>:off, with IPv4 addresses`,
    });
  }
  const [dns0 = "", dns1 = "", ntp0 = ""] = servers;
  return {
    address: `${client}/${length}`,
    gateway,
    hostname,
    link,
    resolvers: [dns0, dns1].filter((text) => text !== ""),
    timeServers: ntp0 === "" ? [] : [ntp0],
  };
}

/** Counts the leading ones of a mask; `undefined` when they are not all in front. */
function prefixLength(mask: string): number | undefined {
  if (!isIPv4(mask)) return undefined;
  const bits = mask
    .split(".")
    .map((part) => Number(part).toString(2).padStart(8, "0"))
    .join("");
  return /^1*0*$/.test(bits) ? bits.lastIndexOf("1") + 1 : undefined;
}
