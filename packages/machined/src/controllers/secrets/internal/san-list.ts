import { CertSAN, type CertSANSpec } from "@talos-ts/machinery/resources/secrets";
import { compareAddresses, isAddress } from "@talos-ts/base/net";

/** Names and addresses for a certificate, mixed and in any order, as a spec without repetition and in order. */
export function sanList(fqdn: string, ...sans: readonly string[]): CertSANSpec {
  const all = [...new Set(sans.map((san) => san.replace(/\.+$/, "")).filter((san) => san !== ""))];
  return CertSAN.spec({
    ips: all.filter(isAddress).toSorted(compareAddresses),
    dnsNames: all.filter((san) => !isAddress(san)).toSorted(),
    fqdn,
  });
}
