import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { describe, it } from "node:test";
import { createAuthority, generateKey, systemEntropy } from "@talos-ts/crypto";
import { encodeGuid } from "./guid.ts";
import { ownerOf, signatureList } from "./signature-list.ts";
import { signVariable } from "./signed-variable.ts";

const time = new Date("2026-03-04T05:06:07.890Z");
const validity = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2036-01-01T00:00:00Z") };
const key = () => generateKey("rsa", 2048);

describe("signVariable()", () => {
  it("puts time, signature and value in their places, and signs name, vendor, attributes, time and value", async () => {
    const init = { keyType: "rsa", subject: { commonName: "signer" }, ...validity } as const;
    const signer = await createAuthority(init, { ...systemEntropy, key });
    const value = Buffer.from("value");
    const signed = signVariable("db", value, signer, time);
    const timestamp = "ea070304050607000000000000000000";
    assert.equal(signed.subarray(0, 16).toString("hex"), timestamp);
    const length = signed.readUInt32LE(16);
    assert.equal(signed.subarray(20, 24).toString("hex"), "0002f10e");
    assert.deepEqual(signed.subarray(24, 40), encodeGuid("4aafd29d-68df-49ee-8aa9-347d375665a7"));
    assert.deepEqual(signed.subarray(16 + length), value);
    const content = Buffer.concat([
      Buffer.from("64006200", "hex"),
      Buffer.from("cbb219d73a3d9645a3bcdad00e67656f", "hex"),
      Buffer.from("27000000", "hex"),
      Buffer.from(timestamp, "hex"),
      value,
    ]);
    // The signature is the last element of the PKCS #7 structure.
    const signature = signed.subarray(16 + length - 256, 16 + length);
    assert.ok(verify("sha256", content, createPublicKey(signer.pem.crt), signature));
    assert.ok(!verify("sha256", Buffer.from("other"), createPublicKey(signer.pem.crt), signature));
  });
});

describe("signatureList()", () => {
  it("has sizes, owner and certificate behind the type", () => {
    const list = signatureList("01020304-0506-0708-090a-0b0c0d0e0f10", Buffer.from("cert"));
    const expected = [
      "a159c0a5e494a74a87b5ab155c2bf072",
      "30000000",
      "00000000",
      "14000000",
      "0403020106050807090a0b0c0d0e0f10",
      Buffer.from("cert").toString("hex"),
    ];
    assert.equal(list.toString("hex"), expected.join(""));
  });
});

describe("ownerOf()", () => {
  it("is a GUID of version 4 that follows from the file", () => {
    const namespace = Buffer.from("6ba7b814-9dad-11d1-80b4-00c04fd430c8".replaceAll("-", ""), "hex");
    const hash = createHash("sha256").update(namespace).update("file").digest("hex");
    const owner = ownerOf(Buffer.from("file"));
    assert.match(owner, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.equal(owner.slice(0, 8), hash.slice(0, 8));
    assert.notEqual(owner, ownerOf(Buffer.from("other")));
  });
});
