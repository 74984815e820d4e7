import { hostPort } from "@talos-ts/base";
import { certificateExpiry, parseCertificate, parseRequest, tlsPrivateKey } from "@talos-ts/crypto";
import { createChannel, createClient, type ClientTlsMaterial } from "@talos-ts/grpc";
import { trustdPort } from "@talos-ts/machinery/constants";
import type { Certificate, CertificateAndKey } from "@talos-ts/machinery/resources/values";
import { SecurityService } from "@talos-ts/proto/security/security";

/** Longest time that one attempt may take; after it, the controller looks at its inputs again. */
const attemptMs = 10_000;

export interface SigningRequest {
  /** PEM of the request. */
  readonly csr: string;
  /** Addresses of the control plane; whoever can be reached signs. */
  readonly endpoints: readonly string[];
  readonly acceptedCAs: readonly Certificate[];
  readonly token: string;
  /** Certificate that the machine has got earlier: a machine that is known renews as itself. */
  readonly present: CertificateAndKey | undefined;
  readonly now: Date;
}

export interface SignedCertificate {
  readonly ca: string;
  readonly crt: string;
}

/** Has a request signed; `requestCertificate` does it over the network. */
export type Signer = (request: SigningRequest, signal: AbortSignal) => Promise<SignedCertificate>;

/**
 * A signer that asks trustd.
 *
 * A machine that has a certificate for the same names shows that one instead of the token, which then stays at home. If
 * that does not work (the authority may have changed, or the other end may not know the custom), the token must do.
 */
export function trustdSigner(port: number): Signer {
  return async (request, signal) => {
    const ca = request.acceptedCAs.map(({ crt }) => crt);
    const own = presentable(request);
    if (own !== undefined) {
      try {
        return await ask(request, port, { ca, ...own }, {}, signal);
      } catch {
        signal.throwIfAborted();
      }
    }
    return await ask(request, port, { ca }, { token: request.token }, signal);
  };
}

export const requestCertificate: Signer = trustdSigner(trustdPort);

/** The present certificate, if it can stand for the machine in this request. */
function presentable({
  present,
  csr,
  now,
}: SigningRequest): { readonly cert: string; readonly key: string } | undefined {
  if (present === undefined || present.key === "") return undefined;
  const certificate = parseCertificate(present.crt);
  const { stage } = certificateExpiry(certificate, now);
  if (stage !== "valid" && stage !== "expiring") return undefined;
  const { subject, dnsNames, ipAddresses } = parseRequest(csr);
  const has = new Set([...certificate.dnsNames, ...certificate.ipAddresses]);
  const same =
    subject.commonName === certificate.subject.commonName &&
    [...dnsNames, ...ipAddresses].every((name) => has.has(name));
  return same ? { cert: present.crt, key: tlsPrivateKey(present.key) } : undefined;
}

async function ask(
  request: SigningRequest,
  port: number,
  material: ClientTlsMaterial,
  metadata: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SignedCertificate> {
  await using channel = createChannel({
    targets: request.endpoints.map((host) => hostPort(host, port)),
    tls: { material },
    connectTimeoutMs: attemptMs / 2,
  });
  const client = createClient(SecurityService, channel, { metadata });
  const response = await client.certificate({ csr: Buffer.from(request.csr) }, { signal, timeoutMs: attemptMs });
  return { ca: Buffer.from(response.ca).toString("utf8"), crt: Buffer.from(response.crt).toString("utf8") };
}
