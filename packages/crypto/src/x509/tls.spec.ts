import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { connect, createServer, type TLSSocket } from "node:tls";
import { createAuthority, type CertificateAuthority } from "./authority.ts";
import { parseCertificateDer } from "./certificate.ts";
import { issuePair, type LeafInit } from "./issue.ts";
import { tlsPrivateKey, type KeyType } from "../keys.ts";
import { hour, seededEntropy } from "../testing/seeded.ts";

const now = Date.now();
const validity = { notBefore: new Date(now - hour), notAfter: new Date(now + hour) };
const server = {
  subject: { commonName: "node-1" },
  ipAddresses: ["127.0.0.1"],
  keyUsages: ["digitalSignature"],
  extKeyUsages: ["serverAuth"],
  ...validity,
} as const satisfies LeafInit;
const client = {
  ...server,
  subject: { organizations: ["os:admin", "os:reader"] },
  ipAddresses: [],
  extKeyUsages: ["clientAuth"],
} as const;

/** The roles a TLS 1.3 server reads from the certificate of a client, or the error of the one that gave up. */
async function handshake(
  authority: CertificateAuthority,
  clientAuthority: CertificateAuthority,
): Promise<readonly string[]> {
  const entropy = seededEntropy("handshake");
  const ca = authority.pem.crt;
  const own = await issuePair(authority, server, entropy);
  const theirs = await issuePair(clientAuthority, client, entropy);
  const options = { ca, minVersion: "TLSv1.3" } as const;
  const listener = createServer({ ...options, cert: own.crt, key: tlsPrivateKey(own.key), requestCert: true });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const accepted = once(listener, "secureConnection").then(([socket]) => socket as TLSSocket);
  const refused = once(listener, "tlsClientError").then(([err]) => Promise.reject(err as Error));
  const { port } = listener.address() as AddressInfo;
  const caller = connect({ ...options, host: "127.0.0.1", port, cert: theirs.crt, key: tlsPrivateKey(theirs.key) });
  caller.on("error", () => undefined);
  try {
    const socket = await Promise.race([accepted, refused]);
    const peer = socket.getPeerX509Certificate();
    socket.destroy();
    assert.ok(caller.authorized);
    return peer === undefined ? [] : parseCertificateDer(peer.raw).subject.organizations;
  } finally {
    caller.destroy();
    listener.close();
  }
}

describe("certificates in a TLS 1.3 handshake with both sides known", () => {
  const authorityOf = (keyType: KeyType): Promise<CertificateAuthority> =>
    createAuthority({ keyType, subject: { organizations: ["talos"] }, ...validity }, seededEntropy(keyType));

  for (const keyType of ["ed25519", "ecdsa", "rsa"] as const) {
    it(`carry roles with ${keyType} keys`, async () => {
      const authority = await authorityOf(keyType);
      assert.deepEqual(await handshake(authority, authority), ["os:admin", "os:reader"]);
    });
  }
  it("refuse a client of another CA of the same name", async () => {
    await assert.rejects(handshake(await authorityOf("ecdsa"), await authorityOf("ecdsa")), /verif|unknown|signature/i);
  });
});
