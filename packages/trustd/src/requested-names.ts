import { isIPv4 } from "node:net";
import { OsError } from "@talos-ts/base";
import type { CertificateRequest } from "@talos-ts/crypto";

const maxNames = 256;
const label = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`);
const wildcardName = new RegExp(`^(?=.{1,253}$)\\*(?:\\.${label}){2,}$`);

/** Rules a request must keep, each with the complaint about one that does not. */
const rules: readonly ((request: CertificateRequest) => string | undefined)[] = [
  ({ dnsNames, ipAddresses }) =>
    dnsNames.length + ipAddresses.length > maxNames ? `more than ${String(maxNames)} names` : undefined,
  ({ dnsNames, ipAddresses, subject }) =>
    dnsNames.length + ipAddresses.length === 0 && !subject.commonName ? "no name at all" : undefined,
  ({ subject: { commonName = "" } }) =>
    commonName === "" || hostName.test(commonName) ? undefined : `common name ${quoted(commonName)} is no host name`,
  ({ dnsNames }) => {
    const bad = dnsNames.find((name) => !hostName.test(name) && !wildcardName.test(name));
    return bad === undefined ? undefined : `DNS name ${quoted(bad)} is no host name`;
  },
  ({ ipAddresses }) => {
    const bad = ipAddresses.find((address) => !isHostAddress(address));
    return bad === undefined ? undefined : `address ${bad} belongs to no host`;
  },
  ({ publicKey }) => {
    const bits = publicKey.asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < 2048 ? `RSA key of ${String(bits)} bits is too short` : undefined;
  },
];

/** @throws {OsError} `trustd/bad-request` for names that no machine has, and for weak keys. */
export function checkRequest(request: CertificateRequest): void {
  for (const rule of rules) {
    const complaint = rule(request);
    if (complaint === undefined) continue;
    throw new OsError({
      kind: "invalid-argument",
      code: "trustd/bad-request",
      message: `CSR was refused: ${complaint}`,
    });
  }
}

/** Neither unspecified nor multicast nor broadcast. */
function isHostAddress(address: string): boolean {
  if (!isIPv4(address)) return address !== "::" && !address.startsWith("ff");
  const first = Number(address.split(".")[0]);
  return first !== 0 && first < 224;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
