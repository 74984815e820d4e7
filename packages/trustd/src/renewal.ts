import { OsError } from "@talos-ts/base";
import type { Certificate, CertificateRequest } from "@talos-ts/crypto";

/**
 * A renewal gives nothing new: whoever got hold of a machine's certificate must not become another machine.
 *
 * @throws {OsError} `trustd/new-names`.
 */
export function checkRenewal(request: CertificateRequest, certificate: Certificate): void {
  const owned = new Set([...certificate.dnsNames, ...certificate.ipAddresses]);
  const foreign = [...request.dnsNames, ...request.ipAddresses].filter((name) => !owned.has(name));
  const { commonName = "" } = request.subject;
  if (commonName !== (certificate.subject.commonName ?? "")) foreign.unshift(commonName);
  if (foreign.length === 0) return;
  throw new OsError({
    kind: "permission-denied",
    code: "trustd/new-names",
    message: `CSR was refused: ${foreign.map((name) => JSON.stringify(name)).join(", ")} not in the certificate to be renewed; new names need the join token`,
    details: { names: foreign },
  });
}
