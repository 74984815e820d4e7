import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { peculiar } from "../testing/peculiar.ts";
import { createAuthority } from "./authority.ts";
import { parseCertificate } from "./certificate.ts";
import { issueCertificate } from "./issue.ts";
import { parsePrivateKey } from "../keys.ts";
import { decodePem, encodePem, pemLabels } from "../pem/pem.ts";
import { createRequest, encodeRequest, parseRequest } from "./request.ts";
import { createScratch, hour, noon, openssl, seededEntropy } from "../testing/seeded.ts";
import { verifyCertificate } from "./verify.ts";

const init = {
  subject: { commonName: "worker-1", organizations: ["o"] },
  dnsNames: ["w"],
  ipAddresses: ["10.5.0.3", "::1"],
};

describe("createRequest()", () => {
  for (const keyType of ["ed25519", "ecdsa", "rsa"] as const) {
    it(`makes a ${keyType} request that openssl, @peculiar/x509 and parseRequest() read alike`, async () => {
      using scratch = createScratch();
      const { csr, key } = await createRequest(keyType, init, seededEntropy(keyType));
      const text = openssl("", "req", "-in", scratch.file("a.csr", csr), "-verify", "-noout", "-text");
      assert.match(text, /DNS:w, IP Address:10\.5\.0\.3, IP Address:0:0:0:0:0:0:0:1/);
      assert.match(text, /Subject: O = o, CN = worker-1/);
      assert.ok(await new peculiar.Pkcs10CertificateRequest(csr).verify());
      const request = parseRequest(csr);
      assert.deepEqual(request.subject.organizations, ["o"]);
      assert.equal(request.subject.commonName, "worker-1");
      assert.deepEqual(request.dnsNames, init.dnsNames);
      assert.deepEqual(request.ipAddresses, init.ipAddresses);
      assert.ok(request.publicKey.equals(parseRequest(encodeRequest(parsePrivateKey(key), init)).publicKey));
    });
  }
});

describe("parseRequest()", () => {
  it("reads a request openssl made, with and without names", () => {
    const args = ["-new", "-newkey", "ed25519", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=x"];
    assert.deepEqual(parseRequest(openssl("", "req", ...args)).dnsNames, []);
    const named = openssl("", "req", ...args, "-addext", "subjectAltName=DNS:a", "-addext", "keyUsage=keyCertSign");
    assert.deepEqual(parseRequest(named).dnsNames, ["a"]);
  });
  it("refuses a request whose signature does not match", async () => {
    const { csr } = await createRequest("ed25519", init, seededEntropy("x"));
    const der = Buffer.from(decodePem(csr)[0]?.der ?? []);
    der[der.indexOf("worker-1")] = "W".charCodeAt(0);
    const forged = encodePem(pemLabels.certificateRequest, der);
    assert.throws(() => parseRequest(forged), { code: "crypto/bad-signature", kind: "unauthenticated" });
  });
  it("refuses what is not a request", () => {
    assert.throws(() => parseRequest("x"), { code: "crypto/bad-pem" });
    assert.throws(() => parseRequest(encodePem(pemLabels.certificateRequest, Buffer.from("3000", "hex"))), {
      code: "crypto/bad-request",
    });
  });
});

describe("issueCertificate()", () => {
  it("signs the key of a request with a subject and usages of the signer's choice", async () => {
    const entropy = seededEntropy("sign");
    const validity = { notBefore: noon, notAfter: new Date(noon.getTime() + hour) };
    const authority = await createAuthority(
      { keyType: "ed25519", subject: { organizations: ["talos"] }, ...validity },
      entropy,
    );
    const request = parseRequest((await createRequest("ed25519", init, entropy)).csr);
    const { dnsNames, ipAddresses, publicKeyInfo } = request;
    const pem = issueCertificate(
      authority,
      publicKeyInfo,
      {
        subject: { commonName: request.subject.commonName },
        dnsNames,
        ipAddresses,
        keyUsages: ["digitalSignature"],
        extKeyUsages: ["serverAuth"],
        ...validity,
      },
      entropy,
    );
    const leaf = parseCertificate(pem);
    assert.deepEqual(leaf.subject.organizations, []);
    assert.ok(leaf.publicKey.equals(request.publicKey));
    verifyCertificate(leaf, { roots: [authority.certificate], at: noon, usage: "serverAuth", host: "10.5.0.3" });
  });
});
