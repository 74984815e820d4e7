import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { updateTyped } from "@talos-ts/cosi";
import {
  createRequest,
  parseCertificate,
  parseCertificates,
  verifyCertificate,
  type CertificateAuthority,
  type RequestInit,
} from "@talos-ts/crypto";
import { parseAuditRecord } from "@talos-ts/machinery/audit";
import { OSRootSecret, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import { createRoot, issueLeaf, createWorkerRequest } from "@talos-ts/machinery/secrets";
import { createNode, serverPair, tlsOf, token } from "./testing/node.ts";

let ca: CertificateAuthority;
let stranger: CertificateAuthority;
before(async () => {
  ca = await createRoot("os", new Date());
  stranger = await createRoot("os", new Date());
});

const worker = {
  fqdn: "worker-1.example.org",
  dnsNames: ["worker-1", "worker-1.example.org"],
  ipAddresses: ["10.5.0.3"],
};
const withToken = { metadata: { token } };

async function csrFor(init: RequestInit): Promise<{ csr: Uint8Array }> {
  return { csr: Buffer.from((await createRequest("ed25519", init)).csr) };
}

async function workerCsr(): Promise<{ csr: Uint8Array }> {
  return { csr: Buffer.from((await createWorkerRequest(ca.pem.crt, worker)).csr) };
}

describe("SecurityService.Certificate", () => {
  it("C-12, C-15: signs a server certificate of a day for whoever has the token", async () => {
    const extra = { crt: stranger.pem.crt };
    await using node = await createNode(ca, { acceptedCAs: [{ crt: ca.pem.crt }, extra] });
    await using joining = node.connect(tlsOf(ca));
    const before = Date.now();
    const { ca: bundle, crt } = await joining.client.certificate(await workerCsr(), withToken);
    const leaf = parseCertificate(Buffer.from(crt).toString());
    verifyCertificate(leaf, { roots: [ca.certificate], at: new Date(), usage: "serverAuth", host: "10.5.0.3" });
    assert.equal(leaf.subject.commonName, worker.fqdn);
    assert.deepEqual([leaf.dnsNames, leaf.ipAddresses], [worker.dnsNames, worker.ipAddresses]);
    assert.deepEqual([leaf.extKeyUsages, leaf.keyUsages], [["1.3.6.1.5.5.7.3.1"], ["digitalSignature"]]);
    assert.equal(leaf.notAfter.getTime() - leaf.notBefore.getTime(), 24 * 3_600_000);
    assert.ok(leaf.notBefore.getTime() <= Date.now() && leaf.notBefore.getTime() > before - 2000);
    assert.equal(parseCertificates(Buffer.from(bundle).toString()).length, 2);
    assert.equal(Buffer.from(bundle).toString(), ca.pem.crt + stranger.pem.crt);
  });

  it("D11: drops organizations, which would be roles, and other wishes", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const subject = { commonName: "worker-1", organizations: ["os:admin", "system:masters"] };
    const { crt } = await joining.client.certificate(await csrFor({ subject, dnsNames: ["worker-1"] }), withToken);
    const leaf = parseCertificate(Buffer.from(crt).toString());
    assert.deepEqual(leaf.subject.organizations, []);
    assert.deepEqual([leaf.subject.commonName, leaf.isCa], ["worker-1", false]);
    assert.ok(node.lines.some((line) => line.includes("without the 2 organizations")));
  });

  it("C-12: refuses without the token or with another", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const request = await workerCsr();
    await assert.rejects(joining.client.certificate(request), { kind: "unauthenticated", message: "missing token" });
    for (const wrong of ["", "abcdef.0123456789abcdee", `${token}0`, token.toUpperCase()]) {
      const call = joining.client.certificate(request, { metadata: { token: wrong } });
      await assert.rejects(call, { kind: "unauthenticated", message: "invalid token" }, wrong);
    }
    assert.ok(node.lines.some((line) => /^refused 127\.0\.0\.1:\d+: invalid token$/.test(line)));
    assert.ok(!node.lines.some((line) => line.includes("abcdef")));
  });

  it("leaves one audit line for each call, with the caller and the status, and never a token", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const request = await workerCsr();
    const { crt } = await joining.client.certificate(request, withToken);
    await assert.rejects(joining.client.certificate(request, { metadata: { token: "abcdef.0123456789abcdee" } }));
    const own = { crt: Buffer.from(crt).toString(), key: "" };
    const records = node.lines.flatMap((line) => parseAuditRecord(`t ${line}`) ?? []);
    assert.deepEqual(
      records.map(({ method, status, error, caller }) => [method, status, error, caller]),
      [
        ["/securityapi.SecurityService/Certificate", 0, "", ""],
        ["/securityapi.SecurityService/Certificate", 16, "trustd/invalid-token", ""],
      ],
    );
    assert.ok(own.crt !== "" && records.every(({ from }) => from.startsWith("127.0.0.1:")));
    assert.ok(!node.lines.some((line) => line.includes("abcdef")));
  });

  it("takes no token where none is configured", async () => {
    await using node = await createNode(ca, { token: "" });
    await using joining = node.connect(tlsOf(ca));
    const call = joining.client.certificate(await workerCsr(), { metadata: { token: "" } });
    await assert.rejects(call, { message: "invalid token" });
  });

  it("slows down an address that keeps guessing", async () => {
    await using node = await createNode(ca);
    await using guessing = node.connect(tlsOf(ca));
    const kinds = new Set<string>();
    for (let guess = 0; guess < 40; guess += 1) {
      const call = guessing.client.certificate({}, { metadata: { token: String(guess) } });
      await assert.rejects(call, (err: { kind: string }) => kinds.add(err.kind).size > 0);
    }
    assert.deepEqual([...kinds], ["unauthenticated", "resource-exhausted"]);
    // Once per time that the address is held back; on a slow machine it may earn an attempt in between.
    assert.ok(node.lines.some((line) => line.includes("must slow down")));
  });

  it("C-12: tells a request that cannot be decoded from one that cannot be parsed", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const refused = (csr: string, message: string | RegExp): Promise<void> =>
      assert.rejects(joining.client.certificate({ csr: Buffer.from(csr) }, withToken), {
        kind: "invalid-argument",
        message,
      });
    await refused("", "failed to decode CSR");
    await refused("nonsense", "failed to decode CSR");
    await refused(ca.pem.crt, "failed to decode CSR");
    await refused(
      "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n",
      /^failed to parse CSR: /,
    );
  });

  it("refuses names that no machine has", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const subject = { commonName: "worker-1" };
    const bad: readonly RequestInit[] = [
      { subject: {} },
      { subject: { commonName: "a b" } },
      { subject: { commonName: "*.example.org" } },
      { subject, dnsNames: ["*"] },
      { subject, dnsNames: ["*.org"] },
      { subject, dnsNames: ["a..b"] },
      { subject, dnsNames: ["https://x"] },
      { subject, dnsNames: ["x".repeat(300)] },
      { subject, ipAddresses: ["0.0.0.0"] },
      { subject, ipAddresses: ["224.0.0.1"] },
      { subject, ipAddresses: ["::"] },
      { subject, ipAddresses: ["ff02::1"] },
      { subject, dnsNames: Array.from({ length: 300 }, (_, index) => `n${String(index)}`) },
    ];
    for (const init of bad) {
      const call = joining.client.certificate(await csrFor(init), withToken);
      await assert.rejects(call, { kind: "invalid-argument", message: /^CSR was refused: / }, JSON.stringify(init));
    }
    const good = { subject, dnsNames: ["*.example.org", "a_b", "1.example"], ipAddresses: ["127.0.0.1", "fd00::1"] };
    await joining.client.certificate(await csrFor(good), withToken);
  });

  it("D10: renews over mTLS the certificate it once gave, and nothing more", async () => {
    await using node = await createNode(ca);
    const { csr, key } = await createWorkerRequest(ca.pem.crt, worker);
    await using joining = node.connect(tlsOf(ca));
    const { crt } = await joining.client.certificate({ csr: Buffer.from(csr) }, withToken);
    const pair = { crt: Buffer.from(crt).toString(), key };
    await using renewing = node.connect(tlsOf(ca, pair));
    const renewed = await renewing.client.certificate(await workerCsr());
    assert.deepEqual(parseCertificate(Buffer.from(renewed.crt).toString()).dnsNames, worker.dnsNames);
    const fewer = { subject: { commonName: worker.fqdn }, dnsNames: ["worker-1"] };
    await renewing.client.certificate(await csrFor(fewer));

    const denied = { kind: "permission-denied", code: "grpc/permission-denied" };
    const other = { ...fewer, ipAddresses: ["10.5.0.2"] };
    await assert.rejects(renewing.client.certificate(await csrFor(other)), denied);
    const renamed = { ...fewer, subject: { commonName: "cp-1" } };
    await assert.rejects(renewing.client.certificate(await csrFor(renamed)), denied);
    await renewing.client.certificate(await csrFor(renamed), withToken);
    const wrong = { metadata: { token: "wrong" } };
    await assert.rejects(renewing.client.certificate(await workerCsr(), wrong), { message: "invalid token" });
  });

  it("renews no certificate that was issued with another join token", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const { csr, key } = await createWorkerRequest(ca.pem.crt, worker);
    const { crt } = await joining.client.certificate({ csr: Buffer.from(csr) }, withToken);
    await using renewing = node.connect(tlsOf(ca, { crt: Buffer.from(crt).toString(), key }));
    await renewing.client.certificate(await workerCsr());
    await node.change(() =>
      updateTyped(node.state, OSRootSecret, OSRootSecret.id, (spec) => ({ ...spec, token: "rotated.0123456789" })),
    );
    await assert.rejects(renewing.client.certificate(await workerCsr()), {
      kind: "unauthenticated",
      message: "Client certificate cannot be renewed: it was not issued with the present join token",
    });
    await renewing.client.certificate(await workerCsr(), { metadata: { token: "rotated.0123456789" } });
  });

  it("D10: renews no certificate of a person, of another CA, or out of date", async () => {
    await using node = await createNode(ca);
    const now = new Date();
    const past = new Date(now.getTime() - 48 * 3_600_000);
    const shown = {
      person: await issueLeaf("talosconfig", ca.pem, { roles: ["os:admin"] }, { now }),
      stranger: await issueLeaf("apidServer", stranger.pem, worker, { now }),
      expired: await issueLeaf("apidServer", ca.pem, worker, { now: past }),
      both: await issueLeaf("etcdPeer", ca.pem, { ...worker, hostname: worker.fqdn }, { now }),
      authority: ca.pem,
    };
    for (const [name, pair] of Object.entries(shown)) {
      await using caller = node.connect(tlsOf(ca, pair));
      const call = caller.client.certificate(await workerCsr());
      await assert.rejects(call, { kind: "unauthenticated", message: /^Client certificate cannot be renewed: / }, name);
    }
  });

  it("answers any bytes with a refusal, and goes on", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const { csr } = await createWorkerRequest(ca.pem.crt, worker);
    const der = Buffer.from(csr.replaceAll(/-----.*-----|\n/g, ""), "base64");
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    for (let round = 0; round < 400; round += 1) {
      const bytes = Buffer.from(der);
      for (let flips = 0; flips <= random(4); flips += 1) bytes[random(bytes.length)] = random(256);
      const cut = random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      if (cut.equals(der)) continue;
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${cut.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
      const call = joining.client.certificate({ csr: Buffer.from(pem) }, withToken);
      await assert.rejects(call, { kind: "invalid-argument" }, pem);
    }
    await joining.client.certificate({ csr: Buffer.from(csr) }, withToken);
  });

  it("refuses requests larger than any CSR, and goes on", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    const call = joining.client.certificate({ csr: new Uint8Array(1 << 20) }, withToken);
    await assert.rejects(call, { kind: "resource-exhausted" });
    await joining.client.certificate(await workerCsr(), withToken);
  });
});

describe("runTrustd()", () => {
  it("follows token, CA and certificate without dropping connections", async () => {
    await using node = await createNode(ca);
    await using old = node.connect(tlsOf(ca));
    await old.client.certificate(await workerCsr(), withToken);
    const change = { issuingCA: stranger.pem, token: "new", acceptedCAs: [{ crt: stranger.pem.crt }] };
    await node.change(() => updateTyped(node.state, OSRootSecret, OSRootSecret.id, (spec) => ({ ...spec, ...change })));
    const server = await serverPair(stranger);
    await node.change(() => updateTyped(node.state, TrustdCertificate, "trustd", (spec) => ({ ...spec, server })));
    await assert.rejects(old.client.certificate(await workerCsr(), withToken), { message: "invalid token" });
    await using fresh = node.connect(tlsOf(stranger));
    const { crt } = await fresh.client.certificate(await workerCsr(), { metadata: { token: "new" } });
    const leaf = parseCertificate(Buffer.from(crt).toString());
    verifyCertificate(leaf, { roots: [stranger.certificate], at: new Date(), usage: "serverAuth" });
    await using late = node.connect(tlsOf(ca));
    await assert.rejects(late.client.certificate({}), { kind: "unavailable" });
  });

  it("says so while there is no CA, or none it can sign with", async () => {
    await using node = await createNode(ca);
    await using joining = node.connect(tlsOf(ca));
    await node.change(() =>
      updateTyped(node.state, OSRootSecret, OSRootSecret.id, ({ issuingCA: _ca, ...spec }) => OSRootSecret.spec(spec)),
    );
    await assert.rejects(joining.client.certificate(await workerCsr(), withToken), {
      kind: "internal",
      message: "failed to sign CSR: this machine has no CA key",
    });
    await node.change(() => node.state.destroy({ namespace: "secrets", type: OSRootSecret.type, id: "os" }));
    await assert.rejects(joining.client.certificate(await workerCsr(), withToken), { kind: "unavailable" });
  });
});
