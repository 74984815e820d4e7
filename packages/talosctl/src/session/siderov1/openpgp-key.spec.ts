import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMessage, decryptKey, encryptKey, readKey, readPrivateKey, readSignature, verify } from "openpgp";
import { generateSigningKey, readSigningKey } from "./openpgp-key.ts";

describe("readSigningKey()", () => {
  it("signs with a key that generateSigningKey() made, until it expires", async () => {
    const made = await generateSigningKey("me@example.org");
    const now = new Date();
    const signer = await readSigningKey(made.armoredPrivate, "the test", now);
    assert.equal(signer.fingerprint, made.signer.fingerprint);
    const data = Buffer.from("payload");
    const { signatures } = await verify({
      message: await createMessage({ binary: Uint8Array.from(data) }),
      signature: await readSignature({ binarySignature: await signer.sign(data) }),
      verificationKeys: await readKey({ armoredKey: made.armoredPublic }),
    });
    assert.equal(await signatures[0]?.verified, true);
    const later = new Date(now.getTime() + 5 * 3_600_000);
    await assert.rejects(readSigningKey(made.armoredPrivate, "the test", later), {
      code: "cli/signing-key-expired",
      message: /^Cannot sign calls with the test: the key expired at /,
    });
  });

  it("refuses a key with a passphrase, a public key, and other text", async () => {
    const { armoredPrivate, armoredPublic } = await generateSigningKey("me@example.org");
    const privateKey = await readPrivateKey({ armoredKey: armoredPrivate });
    const locked = (await encryptKey({ privateKey, passphrase: "secret" })).armor();
    const refused = (armored: string, message: RegExp): Promise<void> =>
      assert.rejects(readSigningKey(armored, "the test", new Date()), { code: "cli/bad-signing-key", message });
    await refused(locked, /protected by a passphrase/);
    await refused(armoredPublic, /not an armored OpenPGP private key/);
    await refused("hello", /not an armored OpenPGP private key/);
    const opened = await decryptKey({ privateKey: await readPrivateKey({ armoredKey: locked }), passphrase: "secret" });
    await readSigningKey(opened.armor(), "the test", new Date());
  });
});
