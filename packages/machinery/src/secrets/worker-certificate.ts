import {
  createRequest,
  issueCertificate,
  leafKeyType,
  loadAuthority,
  parseCertificate,
  parseRequest,
  systemEntropy,
  type Entropy,
  type PemPair,
} from "@talos-ts/crypto";
import { describeLeaf, type IssueOptions } from "./issue-leaf.ts";
import type { ServerInput } from "./leaves.ts";

/**
 * What a worker sends to trustd to get its apid server certificate.
 *
 * @param acceptedCa PEM of the CA that will sign; the key is of its type.
 */
export function requestWorkerCertificate(
  acceptedCa: string,
  { fqdn, dnsNames, ipAddresses }: ServerInput,
  entropy: Entropy = systemEntropy,
): Promise<{ readonly csr: string; readonly key: string }> {
  const keyType = leafKeyType(parseCertificate(acceptedCa));
  return createRequest(keyType, { subject: { commonName: fqdn }, dnsNames, ipAddresses }, entropy);
}

/**
 * What trustd answers: a server certificate for the names asked for.
 *
 * Organizations of the request are dropped, since they would be roles; so a holder of the join token never gains more
 * than a server's identity.
 *
 * @throws the `crypto/…` conditions of `parseRequest` and `loadAuthority`.
 */
export function signWorkerRequest(authority: PemPair, csr: string, options: IssueOptions): string {
  const { subject, dnsNames, ipAddresses, publicKeyInfo } = parseRequest(csr);
  const init = describeLeaf("apidServer", { fqdn: subject.commonName ?? "", dnsNames, ipAddresses }, options);
  return issueCertificate(loadAuthority(authority), publicKeyInfo, init, options.entropy ?? systemEntropy);
}
