import { issuePair, tlsPrivateKey, type CertificateAuthority, type PemPair } from "@talos-ts/crypto";
import type { ClientTlsMaterial } from "@talos-ts/grpc";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";

/** A cluster's CA and the certificates made from it. */
export interface Cluster {
  readonly ca: CertificateAuthority;
  /** Issues the certificate that a person with these roles shows. */
  user(...roles: readonly string[]): Promise<ClientTlsMaterial>;
  /** A person whose certificate may be used for more than it should. */
  versatile(role: string): Promise<ClientTlsMaterial>;
  server(address: string): Promise<PemPair>;
  client(address: string): Promise<PemPair>;
}

export async function createCluster(): Promise<Cluster> {
  const now = new Date();
  const ca = await createRoot("os", now);
  const material = (pair: PemPair): ClientTlsMaterial => ({
    ca: [ca.pem.crt],
    cert: pair.crt,
    key: tlsPrivateKey(pair.key),
  });
  return {
    ca,
    user: async (...roles) => material(await issueLeaf("talosconfig", ca.pem, { roles }, { now })),
    versatile: async (role) =>
      material(
        await issuePair(ca, {
          subject: { organizations: [role], commonName: "both" },
          keyUsages: ["digitalSignature"],
          extKeyUsages: ["clientAuth", "serverAuth"],
          notBefore: now,
          notAfter: new Date(now.getTime() + 60_000),
        }),
      ),
    server: (address) =>
      issueLeaf("apidServer", ca.pem, { fqdn: address, dnsNames: ["localhost"], ipAddresses: [address] }, { now }),
    client: (address) => issueLeaf("apidClient", ca.pem, { fqdn: address }, { now }),
  };
}
