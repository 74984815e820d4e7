import { certificateExpiry, parseCertificate, tlsPrivateKey } from "@talos-ts/crypto";
import { createChannel, createClient, type ClientTlsMaterial } from "@talos-ts/grpc";
import { trustdPort } from "@talos-ts/machinery/constants";
import type { Certificate, CertificateAndKey } from "@talos-ts/machinery/resources/values";
import { SecurityService } from "@talos-ts/proto/security/security";
import { hostPort } from "../internal/addresses.ts";

/** How long one attempt may take; after it, the controller looks at its inputs again. */
const attemptMs = 10_000;

export interface SigningRequest {
  /** PEM of the request. */
  readonly csr: string;
  /** Addresses of the control plane; whoever answers first signs. */
  readonly endpoints: readonly string[];
  readonly acceptedCAs: readonly Certificate[];
  readonly token: string;
  /** What the machine has got earlier: a machine that is known renews as itself. */
  readonly present: CertificateAndKey | undefined;
  readonly now: Date;
}

/** Signs requests; `requestCertificate` does it over the network. */
export type Signer = (
  request: SigningRequest,
  signal: AbortSignal,
) => Promise<{ readonly ca: string; readonly crt: string }>;

/**
 * Asks trustd for a certificate.
 *
 * A machine that has none shows the token only. One that has shows it, so that both sides know each other; if that does not
 * work (the authority may have changed), the token must do.
 */
export const requestCertificate: Signer = async (request, signal) => {
  const ca = request.acceptedCAs.map(({ crt }) => crt);
  const own = presentable(request.present, request.now);
  if (own !== undefined) {
    try {
      return await ask(request, { ca, ...own }, signal);
    } catch {
      signal.throwIfAborted();
    }
  }
  return await ask(request, { ca }, signal);
};

function presentable(
  pair: CertificateAndKey | undefined,
  now: Date,
): { readonly cert: string; readonly key: string } | undefined {
  if (pair === undefined || pair.key === "") return undefined;
  const { stage } = certificateExpiry(parseCertificate(pair.crt), now);
  return stage === "valid" || stage === "expiring" ? { cert: pair.crt, key: tlsPrivateKey(pair.key) } : undefined;
}

async function ask(
  request: SigningRequest,
  material: ClientTlsMaterial,
  signal: AbortSignal,
): Promise<{ readonly ca: string; readonly crt: string }> {
  await using channel = createChannel({
    targets: request.endpoints.map((host) => hostPort(host, trustdPort)),
    tls: { material, minVersion: "TLSv1.2" },
    connectTimeoutMs: attemptMs / 2,
  });
  const client = createClient(SecurityService, channel, { metadata: { token: request.token } });
  const response = await client.certificate({ csr: Buffer.from(request.csr) }, { signal, timeoutMs: attemptMs });
  return { ca: Buffer.from(response.ca).toString("utf8"), crt: Buffer.from(response.crt).toString("utf8") };
}
