import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { RequestListener } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createAuthority, issuePair, tlsPrivateKey } from "@talos-ts/crypto";
import {
  createRegistryClient,
  createRegistryServer,
  listen,
  noRegistrySettings,
  openLayout,
  parseReference,
  type RegistryTls,
} from "@talos-ts/oci";
import { writeTestLayout } from "@talos-ts/oci/testing";

// Beside the pull and not in the package of the client, which is below certificates.
describe("a registry behind TLS", () => {
  let folder: string;
  let authority: Awaited<ReturnType<typeof createAuthority>>;
  let client: Awaited<ReturnType<typeof issuePair>>;
  let server: Awaited<ReturnType<typeof listen>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "registry-tls-"));
    await writeTestLayout(folder, [{ reference: "reg.test/a:v1", layers: [{ a: "x" }] }]);
    const notBefore = new Date();
    const validity = { notBefore, notAfter: new Date(notBefore.getTime() + 3_600_000) };
    authority = await createAuthority({ keyType: "ed25519", subject: { organizations: ["test"] }, ...validity });
    const issue = (name: string, usage: "serverAuth" | "clientAuth") =>
      issuePair(authority, {
        ...validity,
        keyUsages: ["digitalSignature"],
        subject: { commonName: name },
        ipAddresses: ["127.0.0.1"],
        extKeyUsages: [usage],
      });
    client = await issue("client", "clientAuth");
    const pair = await issue("registry", "serverAuth");
    const layout = await openLayout(folder);
    const [handle] = createRegistryServer({ layouts: () => [layout] }).listeners("request") as RequestListener[];
    assert.ok(handle !== undefined);
    const tls = { cert: pair.crt, key: tlsPrivateKey(pair.key), ca: authority.pem.crt, requestCert: true };
    server = await listen(createServer(tls, handle), "127.0.0.1", 0);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const resolve = async (tls?: RegistryTls, trustedCas?: string) => {
    const host = `127.0.0.1:${String(server.port)}`;
    const endpoints = [{ endpoint: `https://${host}`, overridePath: false }];
    const mirrors = { "*": { endpoints, skipFallback: true } };
    const settings = { ...noRegistrySettings, mirrors, ...(tls === undefined ? {} : { tls: { [host]: tls } }) };
    using source = createRegistryClient({ settings, ...(trustedCas === undefined ? {} : { trustedCas }) });
    return await source.resolve(parseReference("reg.test/a:v1"));
  };
  const identity = () => ({ crt: client.crt, key: tlsPrivateKey(client.key) });

  it("needs its CA, and shows a certificate to one that wants it", async () => {
    const ca = Buffer.from(authority.pem.crt);
    await resolve({ ca, insecureSkipVerify: false, clientIdentity: identity() });
    await assert.rejects(resolve({ ca, insecureSkipVerify: false }));
  });
  it("is trusted when the machine trusts its CA", async () => {
    const identified = { ca: new Uint8Array(), insecureSkipVerify: false, clientIdentity: identity() };
    await resolve(identified, authority.pem.crt);
  });
  it("is refused while its CA is unknown, unless anything is to be trusted", async () => {
    const none = new Uint8Array();
    await assert.rejects(resolve(), /certificate/i);
    await assert.rejects(resolve({ ca: none, insecureSkipVerify: false, clientIdentity: identity() }), /certificate/i);
    await resolve({ ca: none, insecureSkipVerify: true, clientIdentity: identity() });
  });
});
