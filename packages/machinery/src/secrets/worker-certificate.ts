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
 * Makes the key and the certificate signing request (PKCS #10, RFC 2986) that a worker sends to trustd for the server certificate of
 * its apid.
 *
 * @param acceptedCa PEM of the CA that will sign; the key is of its type.
 */
export function createWorkerRequest(
  acceptedCa: string,
  { fqdn, dnsNames, ipAddresses }: ServerInput,
  entropy: Entropy = systemEntropy,
): Promise<{ readonly csr: string; readonly key: string }> {
  const keyType = leafKeyType(parseCertificate(acceptedCa));
  return createRequest(keyType, { subject: { commonName: fqdn }, dnsNames, ipAddresses }, entropy);
}

/**
 * Signs the request of a worker: a server certificate for the names that it asks for.
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
