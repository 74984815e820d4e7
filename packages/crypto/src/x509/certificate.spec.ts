import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { peculiar } from "../testing/peculiar.ts";
import { createAuthority, loadAuthority, parsePair } from "./authority.ts";
import { certificateCoversHost, parseCertificate, parseCertificates } from "./certificate.ts";
import { publicKeyFingerprint } from "./fingerprint.ts";
import { issuePair } from "./issue.ts";
import { keyTypeOf, type KeyType } from "../keys.ts";
import { extKeyUsageOids } from "../der/oids.ts";
import { encodePem, pemLabels } from "../pem/pem.ts";
import { createScratch, hour, noon, openssl, seededEntropy } from "../testing/seeded.ts";

const validity = { notBefore: noon, notAfter: new Date(noon.getTime() + 87_600 * hour) };
const day = { notBefore: noon, notAfter: new Date(noon.getTime() + 24 * hour) };
const serving = {
  subject: { commonName: "node-1.example.org" },
  dnsNames: ["node-1", "node-1.example.org"],
  ipAddresses: ["10.5.0.2", "fd00::2"],
  keyUsages: ["digitalSignature", "keyEncipherment"],
  extKeyUsages: ["serverAuth"],
  ...day,
} as const;
const keyTypes: readonly KeyType[] = ["ed25519", "ecdsa", "rsa"];

for (const keyType of keyTypes) {
  describe(`certificates with ${keyType} keys`, async () => {
    const entropy = seededEntropy(keyType);
    const authority = await createAuthority({ keyType, subject: { organizations: ["talos"] }, ...validity }, entropy);
    const server = await issuePair(authority, serving, entropy);
    const client = await issuePair(
      authority.pem,
      {
        subject: { organizations: ["os:reader", "os:admin"] },
        keyUsages: ["digitalSignature"],
        extKeyUsages: ["clientAuth"],
        ...day,
      },
      entropy,
    );

    it("satisfy openssl verify -x509_strict", () => {
      using scratch = createScratch();
      const ca = scratch.file("ca.crt", authority.pem.crt);
      const at = String(noon.getTime() / 1000 + 60);
      const verify = (pem: string, ...rest: string[]): string =>
        openssl("", "verify", "-x509_strict", "-attime", at, "-CAfile", ca, ...rest, scratch.file("leaf.crt", pem));
      assert.match(verify(authority.pem.crt), /: OK/);
      for (const ip of serving.ipAddresses)
        assert.match(verify(server.crt, "-purpose", "sslserver", "-verify_ip", ip), /: OK/);
      assert.match(verify(server.crt, "-purpose", "sslserver", "-verify_hostname", "node-1"), /: OK/);
      assert.match(verify(client.crt, "-purpose", "sslclient"), /: OK/);
      assert.throws(() => verify(client.crt, "-purpose", "sslserver"));
    });

    it("read the same in node:crypto", () => {
      const node = new X509Certificate(server.crt);
      const own = parseCertificate(server.crt);
      assert.equal(node.serialNumber, own.serial.toString(16).toUpperCase().padStart(node.serialNumber.length, "0"));
      assert.equal(node.subject, "CN=node-1.example.org");
      assert.equal(node.issuer, "O=talos");
      assert.deepEqual(node.validFromDate, own.notBefore);
      assert.deepEqual(node.validToDate, own.notAfter);
      assert.ok(node.verify(authority.certificate.publicKey));
      assert.ok(node.checkIssued(new X509Certificate(authority.pem.crt)));
      assert.deepEqual(node.raw, own.der);
      assert.ok(node.publicKey.equals(own.publicKey));
    });

    it("read the same in @peculiar/x509", async () => {
      const theirs = new peculiar.X509Certificate(server.crt);
      const ca = new peculiar.X509Certificate(authority.pem.crt);
      assert.ok(await theirs.verify({ publicKey: ca, signatureOnly: true }));
      const names = theirs.getExtension(peculiar.SubjectAlternativeNameExtension)?.names.items ?? [];
      assert.deepEqual(
        names.map(({ type, value }) => `${type}:${value}`),
        ["dns:node-1", "dns:node-1.example.org", "ip:10.5.0.2", "ip:fd00::2"],
      );
      const akid = theirs.getExtension(peculiar.AuthorityKeyIdentifierExtension);
      const skid = ca.getExtension(peculiar.SubjectKeyIdentifierExtension);
      assert.equal(akid?.keyId, skid?.keyId);
      assert.equal(ca.getExtension(peculiar.BasicConstraintsExtension)?.ca, true);
      const usages = ca.getExtension(peculiar.KeyUsagesExtension);
      assert.equal(usages?.usages, peculiar.KeyUsageFlags.keyCertSign | peculiar.KeyUsageFlags.digitalSignature);
    });

    it("carry exactly what was asked for", () => {
      const own = parseCertificate(server.crt);
      assert.deepEqual(own.dnsNames, serving.dnsNames);
      assert.deepEqual(own.ipAddresses, serving.ipAddresses);
      assert.deepEqual(own.keyUsages, serving.keyUsages);
      assert.deepEqual(own.extKeyUsages, [extKeyUsageOids.serverAuth]);
      assert.equal(own.isCa, false);
      assert.equal(own.subjectKeyId, undefined);
      assert.deepEqual(own.authorityKeyId, authority.certificate.subjectKeyId);
      assert.deepEqual(new Set(parseCertificate(client.crt).subject.organizations), new Set(["os:admin", "os:reader"]));
      assert.equal(keyTypeOf(parsePair(server).key), keyType);
    });

    it("make a CA as the rest of the system expects it", () => {
      const ca = authority.certificate;
      assert.deepEqual(ca.subject.organizations, ["talos"]);
      assert.equal(ca.subject.commonName, undefined);
      assert.deepEqual(ca.keyUsages, ["digitalSignature", "keyCertSign"]);
      assert.deepEqual(ca.extKeyUsages, [extKeyUsageOids.serverAuth, extKeyUsageOids.clientAuth]);
      assert.ok(ca.isCa);
      assert.equal(ca.subjectKeyId?.length, 20);
      assert.equal(ca.authorityKeyId, undefined);
    });
  });
}

describe("createAuthority()", () => {
  it("allows an empty subject, whose leaves still verify", async () => {
    using scratch = createScratch();
    const entropy = seededEntropy("empty");
    const authority = await createAuthority({ keyType: "ecdsa", subject: {}, ...validity }, entropy);
    const leaf = await issuePair(authority, serving, entropy);
    const at = String(noon.getTime() / 1000);
    const paths = [scratch.file("ca.crt", authority.pem.crt), scratch.file("leaf.crt", leaf.crt)];
    assert.match(openssl("", "verify", "-attime", at, "-CAfile", ...paths), /: OK/);
  });
  it("repeats itself for the same entropy", async () => {
    const make = (): Promise<string> =>
      createAuthority({ keyType: "ed25519", subject: {}, ...validity }, seededEntropy("x")).then(({ pem }) => pem.crt);
    assert.equal(await make(), await make());
  });
});

describe("issuePair()", () => {
  it("marks the alternative names critical where the subject is empty", async () => {
    const entropy = seededEntropy("critical");
    const authority = await createAuthority(
      { keyType: "ecdsa", subject: { organizations: ["o"] }, ...validity },
      entropy,
    );
    const leaf = await issuePair(authority, { ...serving, subject: {} }, entropy);
    assert.match(openssl(leaf.crt, "x509", "-noout", "-ext", "subjectAltName"), /critical/);
  });
});

describe("loadAuthority()", () => {
  it("refuses a key of another certificate, and a leaf", async () => {
    const entropy = seededEntropy("load");
    const one = await createAuthority({ keyType: "ed25519", subject: {}, ...validity }, entropy);
    const two = await createAuthority({ keyType: "ed25519", subject: {}, ...validity }, entropy);
    assert.throws(() => loadAuthority({ crt: one.pem.crt, key: two.pem.key }), { code: "crypto/key-mismatch" });
    const leaf = await issuePair(one, serving, entropy);
    assert.throws(() => loadAuthority(leaf), { code: "crypto/not-a-ca" });
    assert.deepEqual(loadAuthority(one.pem).certificate.der, one.certificate.der);
  });
});

describe("parseCertificate()", () => {
  it("reads what openssl made, and several at once", () => {
    const args = ["-x509", "-newkey", "ed25519", "-nodes", "-keyout", "/dev/null", "-subj", "/C=DE/O=x/OU=y/CN=z"];
    const pem = openssl("", "req", ...args, "-addext", "subjectAltName=DNS:a,IP:::1,URI:spiffe://b,email:c@d");
    const certificate = parseCertificate(pem);
    assert.deepEqual(certificate.subject.organizations, ["x"]);
    assert.equal(certificate.subject.commonName, "z");
    assert.deepEqual(certificate.dnsNames, ["a"]);
    assert.deepEqual(certificate.ipAddresses, ["::1"]);
    assert.deepEqual(certificate.unhandled, []);
    assert.equal(encodePem(pemLabels.certificate, certificate.der), pem);
    assert.equal(parseCertificates(`${pem}\n${pem}`).length, 2);
  });
  it("lists critical extensions it does not know", () => {
    const args = ["-x509", "-newkey", "ed25519", "-nodes", "-keyout", "/dev/null", "-subj", "/O=x"];
    const pem = openssl(
      "",
      "req",
      ...args,
      "-addext",
      "1.2.3.4=critical,DER:0500",
      "-addext",
      "nameConstraints=permitted;DNS:a",
    );
    assert.deepEqual(parseCertificate(pem).unhandled, ["1.2.3.4", "2.5.29.30"]);
  });
});

describe("certificateCoversHost()", () => {
  it("looks at alternative names only", async () => {
    const entropy = seededEntropy("host");
    const authority = await createAuthority({ keyType: "ed25519", subject: {}, ...validity }, entropy);
    const names = { ...serving, subject: { commonName: "cn" }, dnsNames: ["a.b", "*.c.d"] };
    const leaf = parseCertificate((await issuePair(authority, names, entropy)).crt);
    const hosts = ["a.b", "x.c.d", "10.5.0.2", "fd00::2", "[fd00::2]", "cn", "x.y.c.d", "10.5.0.3"];
    assert.deepEqual(
      hosts.map((host) => certificateCoversHost(leaf, host)),
      [true, true, true, true, true, false, false, false],
    );
  });
});

describe("publicKeyFingerprint()", () => {
  it("is the base64 SHA-256 of the public key info, as openssl computes it", async () => {
    const { pem, certificate } = await createAuthority({ keyType: "ecdsa", subject: {}, ...validity });
    const spki = openssl(pem.crt, "x509", "-noout", "-pubkey");
    using scratch = createScratch();
    const der = scratch.file("spki.der", "");
    openssl(spki, "pkey", "-pubin", "-outform", "DER", "-out", der);
    const [hex = ""] = openssl("", "dgst", "-sha256", "-r", der).split(" ");
    assert.equal(publicKeyFingerprint(certificate), Buffer.from(hex, "hex").toString("base64"));
  });
});
