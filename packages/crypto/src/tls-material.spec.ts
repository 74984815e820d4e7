import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hour, noon, seededEntropy } from "./testing/seeded.ts";
import { tlsMaterial } from "./tls-material.ts";
import { createAuthority } from "./x509/authority.ts";

const validity = { notBefore: noon, notAfter: new Date(noon.getTime() + hour) };
const authority = (seed: string) =>
  createAuthority({ keyType: "ed25519", subject: { organizations: ["a"] }, ...validity }, seededEntropy(seed));

describe("tlsMaterial()", () => {
  it("gives a pair that node:tls accepts, with a list of trusted CAs even when there is none", async () => {
    const { pem } = await authority("a");
    assert.deepEqual(tlsMaterial(pem, [pem.crt, ""]).ca, [pem.crt]);
    assert.deepEqual(tlsMaterial(pem, []).ca, []);
  });
  it("refuses a missing pair, and a key of another certificate", async () => {
    const [one, other] = [await authority("a"), await authority("b")];
    assert.throws(() => tlsMaterial(undefined, []), { code: "crypto/bad-certificate", message: "there is none" });
    assert.throws(() => tlsMaterial({ crt: one.pem.crt, key: other.pem.key }, []), { code: "crypto/bad-certificate" });
  });
});
