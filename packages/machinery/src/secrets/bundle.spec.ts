import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadAuthority } from "@talos-ts/crypto";
import type { SecretsBundle } from "./bundle.ts";
import { secretsContract } from "./contract.ts";
import { bundleFromConfig } from "./from-config.ts";
import { generateBundle } from "./generate.ts";
import { hour, noon, testEntropy } from "./testing.ts";
import { bundleProblems, validateBundle } from "./validate.ts";
import { decodeBundle, encodeBundle } from "./yaml.ts";

const generate = (version?: string): Promise<SecretsBundle> =>
  generateBundle({ now: noon, contract: secretsContract(version), entropy: testEntropy() });
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("secretsContract()", () => {
  const cases = {
    "v1.2": ["aescbcEncryptionSecret", "ecdsa"],
    "1.3.0-alpha.1": ["secretboxEncryptionSecret", "ecdsa"],
    "v1.6.7": ["secretboxEncryptionSecret", "ecdsa"],
    "v1.7": ["secretboxEncryptionSecret", "rsa"],
    "v2.0": ["secretboxEncryptionSecret", "rsa"],
    "": ["secretboxEncryptionSecret", "rsa"],
  };
  for (const [version, [encryption, serviceAccountKey]] of Object.entries(cases)) {
    it(`knows ${version || "the current version"}`, () => {
      assert.deepEqual(secretsContract(version), { encryption, serviceAccountKey });
    });
  }
  it("refuses what is not a version", () => {
    for (const version of ["one", "v1", "1.x"]) {
      assert.throws(() => secretsContract(version), {
        code: "secrets/bad-version",
        message: /^error parsing version "v/,
      });
    }
  });
});

describe("generateBundle()", () => {
  it("makes a complete bundle after the tables", async () => {
    const bundle = await generate();
    assert.deepEqual(bundleProblems(bundle), []);
    const subjects = Object.fromEntries(
      (["os", "etcd", "k8s", "k8sAggregator"] as const).map((name) => {
        const { certificate } = loadAuthority(bundle.certs[name]);
        assert.deepEqual(certificate.notBefore, noon);
        assert.equal(certificate.notAfter.getTime() - noon.getTime(), 87_600 * hour);
        return [name, `${certificate.subject.organizations.join()}/${certificate.publicKey.asymmetricKeyType}`];
      }),
    );
    assert.deepEqual(subjects, {
      os: "talos/ed25519",
      etcd: "etcd/ec",
      k8s: "kubernetes/ec",
      k8sAggregator: "/ec",
    });
    assert.match(bundle.secrets.bootstrapToken, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    assert.match(bundle.trustdInfo.token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    assert.match(bundle.cluster.id, /^[A-Za-z0-9_-]{43}=$/);
    assert.match(bundle.certs.k8sServiceAccount.key, /BEGIN RSA PRIVATE KEY/);
    assert.equal(bundle.secrets.aescbcEncryptionSecret, undefined);
  });
  it("follows the contract of an old version", async () => {
    const { secrets, certs } = await generate("v1.2");
    assert.equal(Buffer.from(secrets.aescbcEncryptionSecret ?? "", "base64").length, 32);
    assert.equal(secrets.secretboxEncryptionSecret, undefined);
    assert.match(certs.k8sServiceAccount.key, /BEGIN EC PRIVATE KEY/);
  });
  it("keeps what exists", async () => {
    const existing = await generate("v1.2");
    assert.deepEqual(await generateBundle({ now: noon, entropy: testEntropy("other"), existing }), existing);
  });
  it("draws tokens evenly and repeatably", async () => {
    const [one, two] = [await generate(), await generate()];
    assert.deepEqual([one.cluster, one.secrets, one.trustdInfo], [two.cluster, two.secrets, two.trustdInfo]);
  });
});

describe("encodeBundle() and decodeBundle()", () => {
  it("keep every value in the shape of secrets.yaml", async () => {
    const bundle = await generate();
    const text = encodeBundle(bundle);
    assert.deepEqual(decodeBundle(text), bundle);
    const shape = text.replaceAll(/: \S+$/gm, ":");
    const pair = (name: string): string => `    ${name}:\n        crt:\n        key:\n`;
    assert.equal(
      shape,
      "cluster:\n    id:\n    secret:\nsecrets:\n    bootstraptoken:\n    secretboxencryptionsecret:\n" +
        "trustdinfo:\n    token:\ncerts:\n" +
        `${pair("etcd")}${pair("k8s")}${pair("k8saggregator")}    k8sserviceaccount:\n        key:\n${pair("os")}`,
    );
  });
  it("keep tokens that look like numbers", async () => {
    const bundle = { ...(await generate()), trustdInfo: { token: "123456.1234567890123456" } };
    assert.match(encodeBundle(bundle), /token: "123456.1234567890123456"/);
    assert.deepEqual(decodeBundle("trustdinfo:\n  token: 123456.1234567890123450\n"), {
      trustdInfo: { token: "123456.1234567890123450" },
    });
  });
  it("ignore unknown keys and absent parts", () => {
    assert.deepEqual(decodeBundle("more: 1\ncluster:\nsecrets: null\ncerts: {os: ~}\n"), { certs: {} });
    assert.deepEqual(decodeBundle(""), {});
  });
  it("refuse other shapes", () => {
    for (const text of ["a: [", "- 1", "cluster: [1]", "cluster: {id: {}}", "a: 1\na: 2"]) {
      assert.throws(() => decodeBundle(text), { code: "secrets/bad-yaml" });
    }
    assert.throws(() => decodeBundle("certs: {os: {crt: '?'}}"), {
      code: "crypto/bad-pem",
      message: "Value of certs.os.crt is not base64",
    });
  });
});

describe("bundleProblems()", () => {
  it("lists everything that is missing", () => {
    assert.deepEqual(bundleProblems({}), [
      "cluster is required",
      "secrets is required",
      "trustdinfo is required",
      "certs is required",
    ]);
    assert.deepEqual(bundleProblems({ cluster: {}, secrets: {}, trustdInfo: {}, certs: {} }), [
      "cluster.id is required",
      "cluster.secret is required",
      "secrets.bootstraptoken is required",
      "one of [secrets.secretboxencryptionsecret, secrets.aescbcencryptionsecret] is required",
      "trustdinfo.token is required",
      "certs.etcd is required",
      "certs.k8s is required",
      "certs.k8saggregator is required",
      "certs.os is required",
      "certs.k8sserviceaccount is required",
    ]);
  });
  it("finds two encryption secrets, broken PEM and foreign keys", async () => {
    const bundle = await generate();
    const { secrets, certs } = bundle;
    const problems = bundleProblems({
      ...bundle,
      secrets: { ...secrets, aescbcEncryptionSecret: "x" },
      certs: {
        ...certs,
        etcd: { crt: certs.etcd.crt, key: "" },
        k8s: { crt: certs.k8s.crt, key: certs.etcd.key },
        k8sServiceAccount: { key: "x" },
      },
    });
    assert.deepEqual(
      problems.map((problem) => problem.split(":")[0]),
      [
        "only one of [secrets.secretboxencryptionsecret, secrets.aescbcencryptionsecret] is allowed",
        "certs.etcd is invalid",
        "certs.k8s is invalid",
        "certs.k8sserviceaccount.key is invalid",
      ],
    );
  });
  it("never shows a key", async () => {
    const { certs } = await generate();
    const text = bundleProblems({ certs: { ...certs, os: { crt: certs.os.crt, key: certs.k8s.key } } }).join();
    for (const line of certs.k8s.key.split("\n").filter((part) => part.length > 20)) assert.ok(!text.includes(line));
  });
});

describe("validateBundle()", () => {
  it("names the source and carries the problems", () => {
    assert.throws(() => validateBundle({}, "secrets.yaml"), {
      code: "secrets/invalid-bundle",
      message: /^Secrets bundle from secrets.yaml is not complete: cluster is required; /,
    });
  });
});

describe("bundleFromConfig()", () => {
  const configOf = ({ cluster, secrets, trustdInfo, certs }: SecretsBundle) => {
    const pair = ({ crt, key }: { crt: string; key: string }) => ({ crt: base64(crt), key: base64(key) });
    return {
      version: "v1alpha1",
      machine: { type: "controlplane", token: trustdInfo.token, ca: pair(certs.os) },
      cluster: {
        ...cluster,
        token: secrets.bootstrapToken,
        secretboxEncryptionSecret: secrets.secretboxEncryptionSecret,
        ca: pair(certs.k8s),
        aggregatorCA: pair(certs.k8sAggregator),
        serviceAccount: { key: base64(certs.k8sServiceAccount.key) },
        etcd: { ca: pair(certs.etcd) },
      },
    };
  };
  it("finds all secrets of a control plane machine", async () => {
    const bundle = await generate();
    assert.equal(encodeBundle(bundleFromConfig(configOf(bundle))), encodeBundle(bundle));
  });
  it("says what the config of a worker lacks", async () => {
    const config = configOf(await generate());
    const { crt } = config.machine.ca;
    const worker = {
      machine: { ...config.machine, ca: { crt, key: "" } },
      cluster: { id: "x", token: "y", ca: { crt } },
    };
    assert.throws(() => bundleFromConfig(worker, "worker.yaml"), {
      code: "secrets/invalid-bundle",
      message: /from worker.yaml is not complete: .*certs\.os is invalid: .*certs\.k8sserviceaccount is required/,
    });
    for (const config of [undefined, null, 1, "x", []]) {
      assert.throws(() => bundleFromConfig(config), { code: "secrets/invalid-bundle" });
    }
  });
});
