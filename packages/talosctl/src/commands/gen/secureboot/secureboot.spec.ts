import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createAuthority, generateKey, parseCertificate, parsePair, systemEntropy } from "@talos-ts/crypto";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { runCommand } from "../../../testing/run-command.ts";

const gen = (...words: readonly string[]) => runCommand(["gen", "secureboot", ...words]);

describe("gen secureboot uki", () => {
  it("makes a certificate in two forms and its RSA key of 4096 bits, and replaces nothing", async () => {
    await using folder = await temporaryDirectory();
    const path = (name: string): string => join(folder.path, "out", name);
    const { err, code } = await gen("uki", "--common-name", "Lab", "-o", join(folder.path, "out"));
    assert.equal(code, 0);
    assert.equal(err.split("\n")[0], `writing ${path("uki-signing-cert.pem")}`);
    const crt = await readFile(path("uki-signing-cert.pem"), "utf8");
    const { certificate, key } = parsePair({ crt, key: await readFile(path("uki-signing-key.pem"), "utf8") });
    assert.deepEqual(certificate.der, await readFile(path("uki-signing-cert.der")));
    assert.deepEqual([certificate.subject.commonName, certificate.subject.organizations], ["Lab", ["Lab"]]);
    assert.equal(key.asymmetricKeyDetails?.modulusLength, 4096);
    const again = await gen("uki", "-o", join(folder.path, "out"));
    assert.equal(again.code, 1);
    assert.match(again.err, /already exists, use --force to overwrite/);
    assert.equal(await readFile(path("uki-signing-cert.pem"), "utf8"), crt);
  });
});

describe("gen secureboot pcr", () => {
  it("makes an RSA key that a TPM takes", async () => {
    await using folder = await temporaryDirectory();
    assert.equal((await gen("pcr", "-o", folder.path)).code, 0);
    const key = createPrivateKey(await readFile(join(folder.path, "pcr-signing-key.pem"), "utf8"));
    assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
  });
});

describe("gen secureboot database", () => {
  it("enrolls a certificate in three variables, each signed for itself", async () => {
    await using folder = await temporaryDirectory();
    const path = (name: string): string => join(folder.path, name);
    const now = new Date();
    const validity = { notBefore: now, notAfter: new Date(now.getTime() + 86_400_000) };
    const init = { keyType: "rsa", subject: { commonName: "signer" }, ...validity } as const;
    const { pem } = await createAuthority(init, { ...systemEntropy, key: () => generateKey("rsa", 2048) });
    await writeFile(path("cert.pem"), pem.crt);
    await writeFile(path("key.pem"), pem.key);
    const files = ["--enrolled-certificate", path("cert.pem"), "--signing-certificate", path("cert.pem")];
    const { code } = await gen("database", ...files, "--signing-key", path("key.pem"), "-o", path("out"));
    assert.equal(code, 0);
    const names = ["KEK.auth", "PK.auth", "db.auth"];
    assert.deepEqual((await readdir(path("out"))).toSorted(), names);
    const made = await Promise.all(names.map((name) => readFile(join(path("out"), name))));
    for (const bytes of made) assert.ok(bytes.subarray(-4096).includes(parseCertificate(pem.crt).der));
    assert.equal(new Set(made.map((bytes) => bytes.toString("hex"))).size, 3);
  });
  it("refuses a key that is not RSA", async () => {
    await using folder = await temporaryDirectory();
    const now = new Date();
    const validity = { notBefore: now, notAfter: new Date(now.getTime() + 86_400_000) };
    const { pem } = await createAuthority({ keyType: "ed25519", subject: {}, ...validity });
    await writeFile(join(folder.path, "cert.pem"), pem.crt);
    await writeFile(join(folder.path, "key.pem"), pem.key);
    const files = ["--enrolled-certificate", "--signing-certificate"].flatMap((flag) => [flag, join(folder.path, "cert.pem")]);
    const { err, code } = await gen("database", ...files, "--signing-key", join(folder.path, "key.pem"));
    assert.equal(code, 1);
    assert.match(err, /expected RSA/);
  });
});
