import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAuthority, type CertificateAuthority } from "./authority.ts";
import { encodeCertificateDer } from "./certificate-write.ts";
import { parseCertificate, parseCertificateDer, type Certificate } from "./certificate.ts";
import { certificateExpiry } from "./expiry.ts";
import type { ExtensionsInit } from "./extensions.ts";
import { matchFingerprint, publicKeyFingerprint } from "./fingerprint.ts";
import { issuePair, type LeafInit } from "./issue.ts";
import { encodePublicKeyInfo } from "../keys.ts";
import { decodePem } from "../pem/pem.ts";
import { hour, noon, openssl, seededEntropy } from "../testing/seeded.ts";
import { verifyCertificate, type VerifyOptions } from "./verify.ts";

const entropy = seededEntropy("verify");
const validity = { notBefore: noon, notAfter: new Date(noon.getTime() + 24 * hour) };
const later = new Date(noon.getTime() + hour);

const makeRoot = (organization: string): Promise<CertificateAuthority> =>
  createAuthority({ keyType: "ed25519", subject: { organizations: [organization] }, ...validity }, entropy);

async function makeLeaf(authority: CertificateAuthority, init: Partial<LeafInit> = {}): Promise<Certificate> {
  const pair = await issuePair(
    authority,
    {
      subject: { organizations: ["os:admin"] },
      keyUsages: ["digitalSignature"],
      extKeyUsages: ["clientAuth"],
      ...validity,
      ...init,
    },
    entropy,
  );
  return parseCertificate(pair.crt);
}

async function makeIntermediate(
  parent: CertificateAuthority,
  name: string,
  init: ExtensionsInit,
): Promise<CertificateAuthority> {
  const key = await entropy.key("ed25519");
  const der = encodeCertificateDer({
    subject: { organizations: [name] },
    issuerDer: parent.certificate.subject.der,
    issuerKey: parent.key,
    publicKeyInfo: encodePublicKeyInfo(key),
    ...validity,
    ...init,
    entropy,
  });
  return { certificate: parseCertificateDer(der), key, pem: { crt: "", key: "" } };
}

const optionsFor = (root: CertificateAuthority, extra: Partial<VerifyOptions> = {}): VerifyOptions => ({
  roots: [root.certificate],
  at: later,
  usage: "clientAuth",
  ...extra,
});

describe("verifyCertificate()", () => {
  it("returns the chain from leaf to root", async () => {
    const root = await makeRoot("talos");
    const middle = await makeIntermediate(root, "middle", { isCa: true, keyUsages: ["keyCertSign"] });
    const leaf = await makeLeaf(middle);
    const intermediates = [middle.certificate];
    assert.deepEqual(verifyCertificate(leaf, optionsFor(root, { intermediates })), [
      leaf,
      middle.certificate,
      root.certificate,
    ]);
    assert.throws(() => verifyCertificate(leaf, optionsFor(root)), { code: "crypto/untrusted" });
  });
  it("tells two CAs of the same name apart", async () => {
    const [old, fresh] = [await makeRoot("talos"), await makeRoot("talos")];
    const leaf = await makeLeaf(fresh);
    const chain = verifyCertificate(leaf, optionsFor(old, { roots: [old.certificate, fresh.certificate] }));
    assert.deepEqual(chain, [leaf, fresh.certificate]);
    assert.throws(() => verifyCertificate(leaf, optionsFor(old)), { code: "crypto/bad-signature" });
  });
  it("says which CAs are trusted when none fits", async () => {
    const leaf = await makeLeaf(await makeRoot("other"));
    const options = optionsFor(await makeRoot("talos"));
    assert.throws(() => verifyCertificate(leaf, options), {
      code: "crypto/untrusted",
      message: 'Certificate "O=os:admin", issued by "O=other", is not signed by a trusted CA; trusted: "O=talos"',
    });
  });
  it("refuses a leaf outside its life, naming the times", async () => {
    const root = await makeRoot("talos");
    const leaf = await makeLeaf(root, { notAfter: new Date(noon.getTime() + hour) });
    const at = (ms: number): VerifyOptions => optionsFor(root, { at: new Date(noon.getTime() + ms) });
    assert.throws(() => verifyCertificate(leaf, at(-1)), { code: "crypto/not-yet-valid" });
    verifyCertificate(leaf, at(0));
    verifyCertificate(leaf, at(hour));
    assert.throws(() => verifyCertificate(leaf, at(hour + 1)), {
      code: "crypto/expired",
      message: 'Certificate "O=os:admin" expired at 2026-06-01T13:00:00.000Z, current time 2026-06-01T13:00:00.001Z',
    });
  });
  it("refuses an expired CA", async () => {
    const root = await makeRoot("talos");
    const leaf = await makeLeaf(root, { notAfter: new Date(noon.getTime() + 48 * hour) });
    const at = new Date(noon.getTime() + 25 * hour);
    assert.throws(() => verifyCertificate(leaf, optionsFor(root, { at })), { code: "crypto/expired" });
  });
  it("refuses a leaf or a CA used for another purpose", async () => {
    const root = await makeRoot("talos");
    const leaf = await makeLeaf(root);
    assert.throws(() => verifyCertificate(leaf, optionsFor(root, { usage: "serverAuth" })), {
      code: "crypto/wrong-usage",
    });
    const middle = await makeIntermediate(root, "m", { isCa: true, extKeyUsages: ["serverAuth"] });
    const intermediates = [middle.certificate];
    const below = await makeLeaf(middle);
    assert.throws(() => verifyCertificate(below, optionsFor(root, { intermediates })), { code: "crypto/wrong-usage" });
    verifyCertificate(await makeLeaf(root, { extKeyUsages: ["any"] }), optionsFor(root));
  });
  it("refuses issuers that may not sign", async () => {
    const root = await makeRoot("talos");
    for (const init of [{ keyUsages: ["digitalSignature"], isCa: true }, { isCa: false }] as const) {
      const middle = await makeIntermediate(root, "m", init);
      const options = optionsFor(root, { intermediates: [middle.certificate] });
      const leaf = await makeLeaf(middle);
      assert.throws(() => verifyCertificate(leaf, options), { code: "crypto/untrusted" });
    }
  });
  it("refuses a host the leaf does not stand for", async () => {
    const root = await makeRoot("talos");
    const leaf = await makeLeaf(root, { ipAddresses: ["127.0.0.1"], dnsNames: ["a"] });
    verifyCertificate(leaf, optionsFor(root, { host: "127.0.0.1" }));
    assert.throws(() => verifyCertificate(leaf, optionsFor(root, { host: "10.5.0.2" })), {
      code: "crypto/wrong-host",
      message: "Certificate is valid for a, 127.0.0.1, not 10.5.0.2",
    });
  });
  it("refuses restrictions it does not understand", () => {
    const args = ["-x509", "-newkey", "ed25519", "-nodes", "-keyout", "/dev/null", "-subj", "/O=x"];
    const leaf = parseCertificate(openssl("", "req", ...args, "-addext", "1.2.3.4=critical,DER:0500"));
    assert.throws(() => verifyCertificate(leaf, { roots: [leaf], at: new Date(), usage: "clientAuth" }), {
      code: "crypto/untrusted",
    });
  });
  it("refuses a certificate changed in any byte of its body", async () => {
    const root = await makeRoot("talos");
    const leaf = await makeLeaf(root);
    const index = leaf.der.indexOf("os:admin");
    const forged = Buffer.from(leaf.der);
    forged.write("os:adm1n", index);
    assert.throws(() => verifyCertificate(parseCertificateDer(forged), optionsFor(root)), {
      code: "crypto/bad-signature",
    });
  });
  it("refuses SHA-1 signatures", () => {
    const args = ["-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "/dev/null", "-subj", "/O=x", "-sha1"];
    const pem = openssl("", "req", ...args);
    const root = parseCertificate(pem);
    const copy = { ...root, der: Buffer.concat([root.der]), subject: root.subject };
    const other = { ...root, der: Buffer.from(decodePem(pem)[0]?.der.subarray(1) ?? []) };
    assert.throws(() => verifyCertificate(other, { roots: [copy], at: new Date(), usage: "clientAuth" }), {
      code: "crypto/unsupported-signature",
    });
  });
});

describe("certificateExpiry()", () => {
  it("tells the stages of a life apart", () => {
    const stageAt = (hours: number, warnMs?: number): string =>
      certificateExpiry(validity, new Date(noon.getTime() + hours * hour), warnMs).stage;
    assert.deepEqual(
      [-1, 0, 11, 13, 25].map((hours) => stageAt(hours)),
      ["not-yet-valid", "valid", "valid", "expiring", "expired"],
    );
    assert.equal(stageAt(13, hour), "valid");
  });
});

describe("matchFingerprint()", () => {
  it("accepts one of several and names them otherwise", async () => {
    const { certificate } = await makeRoot("a");
    matchFingerprint(certificate, ["x", publicKeyFingerprint(certificate)]);
    assert.throws(() => matchFingerprint(certificate, ["x", "y"]), {
      message: "leaf peer certificate doesn't match the provided fingerprints: [x y]",
    });
  });
});
