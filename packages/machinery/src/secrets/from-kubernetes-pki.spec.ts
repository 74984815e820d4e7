import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { createAuthority, encodePrivateKey } from "@talos-ts/crypto";
import { bundleFromKubernetesPki } from "./from-kubernetes-pki.ts";
import { hour, noon, testEntropy } from "./testing.ts";
import { bundleProblems } from "./validate.ts";

interface Pki extends Disposable {
  readonly directory: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A directory as kubeadm leaves it: RSA everywhere. */
async function createPki(): Promise<Pki> {
  const directory = mkdtempSync(join(tmpdir(), "pki-"));
  const entropy = testEntropy();
  const files: Record<string, string> = { "sa.key": encodePrivateKey(await entropy.key("rsa")) };
  for (const name of ["ca", "etcd/ca", "front-proxy-ca"]) {
    const notAfter = new Date(noon.getTime() + hour);
    const subject = { organizations: [name] };
    const { pem } = await createAuthority({ keyType: "rsa", subject, notBefore: noon, notAfter }, entropy);
    Object.assign(files, { [`${name}.crt`]: pem.crt, [`${name}.key`]: pem.key });
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return { directory, files, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

const options = { now: noon, entropy: testEntropy() };

describe("bundleFromKubernetesPki()", () => {
  it("takes over the CAs and the service account key, and makes the rest", async () => {
    using pki = await createPki();
    const bundle = await bundleFromKubernetesPki(pki.directory, "abcdef.0123456789abcdef", options);
    assert.deepEqual(bundleProblems(bundle), []);
    assert.equal(bundle.secrets.bootstrapToken, "abcdef.0123456789abcdef");
    assert.deepEqual(bundle.certs.k8s, { crt: pki.files["ca.crt"], key: pki.files["ca.key"] });
    assert.deepEqual(bundle.certs.etcd.crt, pki.files["etcd/ca.crt"]);
    assert.deepEqual(bundle.certs.k8sAggregator.crt, pki.files["front-proxy-ca.crt"]);
    assert.equal(bundle.certs.k8sServiceAccount.key, pki.files["sa.key"]);
    assert.match(
      (await bundleFromKubernetesPki(pki.directory, undefined, options)).secrets.bootstrapToken,
      /^.{6}\..{16}$/,
    );
  });
  it("names the file that is missing or broken", async () => {
    using pki = await createPki();
    const path = join(pki.directory, "etcd", "ca.key");
    writeFileSync(path, pki.files["ca.key"] ?? "");
    await assert.rejects(bundleFromKubernetesPki(pki.directory, undefined, options), {
      code: "secrets/bad-kubernetes-pki",
      message: /etcd\/ca" is not usable: Private key does not belong to certificate "O=etcd\/ca"$/,
    });
    rmSync(path);
    await assert.rejects(bundleFromKubernetesPki(pki.directory, undefined, options), {
      kind: "not-found",
      code: "secrets/bad-kubernetes-pki",
      message: /^Cannot read ".*etcd\/ca.key" of the Kubernetes PKI/,
    });
  });
  it("refuses what is not a directory", async () => {
    await assert.rejects(bundleFromKubernetesPki("/nowhere", undefined, options), { kind: "not-found" });
    await assert.rejects(bundleFromKubernetesPki("/dev/null", undefined, options), {
      message: '"/dev/null" is not a directory',
    });
  });
});
