import type { HostnameStatusSpec } from "@talos-ts/machinery/resources/network";

/** `node-1.example.org`, or the bare host name when there is no domain. */
export function fqdnOf({ hostname, domainname }: HostnameStatusSpec): string {
  return domainname === "" ? hostname : `${hostname}.${domainname}`;
}
