import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSecureContext } from "node:tls";
import { createAuthority } from "./x509/authority.ts";
import { encodePrivateKey, encodePublicKey, generateKey, keyTypeOf, parsePrivateKey, tlsPrivateKey } from "./keys.ts";
import { encodePem, pemLabels } from "./pem/pem.ts";
import { hour, noon, openssl, seededEntropy } from "./testing/seeded.ts";

describe("generateKey()", () => {
  it("makes an Ed25519 key under its own label", async () => {
    assert.match(encodePrivateKey(await generateKey("ed25519")), /^-----BEGIN ED25519 PRIVATE KEY-----\n/);
  });
  it("makes an ECDSA key on P-256 in SEC 1", async () => {
    const key = await generateKey("ecdsa");
    assert.equal(key.asymmetricKeyDetails?.namedCurve, "prime256v1");
    assert.match(openssl(encodePrivateKey(key), "ec", "-noout", "-text"), /NIST CURVE: P-256/);
    assert.match(encodePrivateKey(key), /^-----BEGIN EC PRIVATE KEY-----\n/);
  });
  it("makes an RSA key of 4096 bits in PKCS #1", async () => {
    const key = await generateKey("rsa");
    assert.equal(key.asymmetricKeyDetails?.modulusLength, 4096);
    assert.match(encodePrivateKey(key), /^-----BEGIN RSA PRIVATE KEY-----\n/);
  });
});

describe("parsePrivateKey()", () => {
  for (const type of ["ed25519", "ecdsa", "rsa"] as const) {
    it(`reads ${type} under its own label and as plain PKCS #8`, async () => {
      const key = await seededEntropy("keys").key(type);
      const plain = encodePem(pemLabels.pkcs8, key.export({ format: "der", type: "pkcs8" }));
      for (const pem of [encodePrivateKey(key), plain]) {
        assert.ok(parsePrivateKey(pem).equals(key));
        assert.equal(keyTypeOf(parsePrivateKey(pem)), type);
      }
      assert.equal(openssl(plain, "pkey", "-pubout"), encodePublicKey(key));
    });
  }
  it("skips the parameters OpenSSL writes before an EC key", () => {
    const pem = openssl("", "ecparam", "-name", "secp384r1", "-genkey");
    assert.match(pem, /BEGIN EC PARAMETERS/);
    assert.equal(parsePrivateKey(pem).asymmetricKeyDetails?.namedCurve, "secp384r1");
  });

  const refused = {
    "crypto/bad-pem": "not a key",
    "crypto/bad-key": encodePem(pemLabels.rsa, Buffer.from("3000", "hex")),
    "crypto/unsupported-key": openssl("", "genpkey", "-algorithm", "X25519"),
  };
  for (const [code, pem] of Object.entries(refused)) {
    it(`refuses with ${code}`, () => assert.throws(() => parsePrivateKey(pem), { code }));
  }
  it("refuses other curves and short RSA keys", () => {
    const curve = openssl("", "ecparam", "-name", "secp256k1", "-genkey");
    assert.throws(() => parsePrivateKey(curve), { code: "crypto/unsupported-key" });
    const short = openssl("", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:512");
    assert.throws(() => parsePrivateKey(short), { code: "crypto/unsupported-key" });
  });
});

describe("tlsPrivateKey()", () => {
  for (const keyType of ["ed25519", "ecdsa"] as const) {
    it(`makes node:tls accept ${keyType} keys`, async () => {
      const validity = { notBefore: noon, notAfter: new Date(noon.getTime() + hour) };
      const { pem } = await createAuthority({ keyType, subject: {}, ...validity }, seededEntropy("tls"));
      createSecureContext({ cert: pem.crt, key: tlsPrivateKey(pem.key) });
      if (keyType === "ed25519") assert.throws(() => createSecureContext({ cert: pem.crt, key: pem.key }));
    });
  }
});
