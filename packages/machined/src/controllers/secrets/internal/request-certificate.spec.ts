import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { parseCertificate, tlsPrivateKey } from "@talos-ts/crypto";
import { createServer } from "@talos-ts/grpc";
import { issueLeaf, createWorkerRequest, signWorkerRequest } from "@talos-ts/machinery/secrets";
import { SecurityService } from "@talos-ts/proto/security/security";
import { testSecrets } from "../../internal/testing.ts";
import { trustdSigner } from "./request-certificate.ts";

const { signal } = new AbortController();
const worker = { fqdn: "worker-1", dnsNames: ["worker-1"], ipAddresses: ["10.5.0.3"] };

/** A trustd on loopback that notes how callers identify themselves: by token, by certificate. */
async function startTrustd(options: { readonly knowsRenewal: boolean }) {
  const { certs, trustdInfo } = await testSecrets();
  const callers: string[] = [];
  const names = { fqdn: "cp", dnsNames: ["cp"], ipAddresses: ["127.0.0.1"] };
  const own = await issueLeaf("trustdServer", certs.os, names, { now: new Date() });
  const server = createServer({ graceMs: 0 }).addService(SecurityService, {
    certificate({ csr }, { metadata, peer }) {
      const token = metadata.get("token");
      const shown = peer.tls?.certificate;
      callers.push(
        `${token === undefined ? "no token" : "token"}, ${shown === undefined ? "no certificate" : shown.subject}`,
      );
      const known = token === trustdInfo.token || (options.knowsRenewal && shown !== undefined);
      if (!known) throw new OsError({ kind: "unauthenticated", message: "missing token" });
      const crt = signWorkerRequest(certs.os, Buffer.from(csr).toString(), { now: new Date() });
      return { ca: Buffer.from(certs.os.crt), crt: Buffer.from(crt) };
    },
  });
  const tls = {
    material: { cert: own.crt, key: tlsPrivateKey(own.key) },
    clientAuth: options.knowsRenewal ? "request" : "none",
  } as const;
  const { port } = await server.listen({ host: "127.0.0.1", port: 0, tls });
  return { port, callers, [Symbol.asyncDispose]: () => server.close() };
}

async function makeRequest(endpoints: readonly string[]) {
  const { certs, trustdInfo } = await testSecrets();
  const { csr, key } = await createWorkerRequest(certs.os.crt, worker);
  const acceptedCAs = [{ crt: certs.os.crt }];
  return {
    key,
    request: { csr, endpoints, acceptedCAs, token: trustdInfo.token, present: undefined, now: new Date() },
  };
}

describe("trustdSigner()", () => {
  it("D10: joins with the token over TLS that it verifies, from whichever endpoint answers", async () => {
    await using trustd = await startTrustd({ knowsRenewal: true });
    const { request } = await makeRequest(["127.0.0.1", "127.0.0.9"]);
    const { crt } = await trustdSigner(trustd.port)(request, signal);
    assert.deepEqual(parseCertificate(crt).ipAddresses, ["10.5.0.3"]);
    assert.deepEqual(trustd.callers, ["token, no certificate"]);
  });

  it("D11: renews with the certificate it has, and keeps the token to itself", async () => {
    await using trustd = await startTrustd({ knowsRenewal: true });
    const { request, key } = await makeRequest(["127.0.0.1"]);
    const sign = trustdSigner(trustd.port);
    const { crt } = await sign(request, signal);
    await sign({ ...request, present: { crt, key }, now: new Date() }, signal);
    assert.deepEqual(trustd.callers, ["token, no certificate", "no token, CN=worker-1"]);
  });

  it("falls back to the token where renewal is not known, and where the names changed", async () => {
    await using trustd = await startTrustd({ knowsRenewal: false });
    const { request, key } = await makeRequest(["127.0.0.1"]);
    const sign = trustdSigner(trustd.port);
    const { crt } = await sign(request, signal);
    await sign({ ...request, present: { crt, key }, now: new Date() }, signal);
    assert.deepEqual(trustd.callers.slice(1), ["no token, no certificate", "token, no certificate"]);
    const { certs } = await testSecrets();
    const { csr } = await createWorkerRequest(certs.os.crt, { ...worker, ipAddresses: ["10.5.0.4"] });
    await sign({ ...request, csr, present: { crt, key } }, signal);
    assert.deepEqual(trustd.callers.slice(3), ["token, no certificate"]);
  });

  it("believes only the authorities of the cluster", async () => {
    await using trustd = await startTrustd({ knowsRenewal: true });
    const { request } = await makeRequest(["127.0.0.1"]);
    const { certs } = await testSecrets();
    const refused = trustdSigner(trustd.port)({ ...request, acceptedCAs: [{ crt: certs.etcd.crt }] }, signal);
    await assert.rejects(refused, { kind: "unavailable" });
    assert.deepEqual(trustd.callers, []);
  });
});
