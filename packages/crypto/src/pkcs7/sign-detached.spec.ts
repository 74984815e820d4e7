import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { generateKeyPairSync } from "node:crypto";
import { explicit, oid, sequence } from "../der/der-write.ts";
import { createAuthority } from "../x509/authority.ts";
import { systemEntropy } from "../entropy.ts";
import { signDetached } from "./sign-detached.ts";

const validity = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2036-01-01T00:00:00Z") };
const subject = { organizations: ["test"], commonName: "signer" };

describe("signDetached()", () => {
  it("makes signatures that OpenSSL verifies, of these bytes and no others", async () => {
    const key = async () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const signer = await createAuthority({ keyType: "rsa", subject, ...validity }, { ...systemEntropy, key });
    const signed = signDetached(Buffer.from("what is signed"), signer);
    const folder = mkdtempSync(join(tmpdir(), "pkcs7-"));
    after(() => rmSync(folder, { recursive: true }));
    const path = (name: string): string => join(folder, name);
    writeFileSync(path("cert.pem"), signer.pem.crt);
    writeFileSync(path("signed.der"), sequence(oid("1.2.840.113549.1.7.2"), explicit(0, signed)));
    const verify = (content: string): string => {
      writeFileSync(path("content"), content);
      const files = ["-in", path("signed.der"), "-content", path("content"), "-CAfile", path("cert.pem")];
      const args = ["smime", "-verify", "-binary", "-inform", "DER", "-purpose", "any", ...files];
      return execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    };
    assert.equal(verify("what is signed"), "what is signed");
    assert.throws(() => verify("something else"));
  });
  it("refuses keys that are not RSA", async () => {
    const other = await createAuthority({ keyType: "ed25519", subject, ...validity });
    assert.throws(() => signDetached(new Uint8Array(), other), { code: "crypto/unsupported-key" });
  });
});
