import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { encodeConfig } from "../encode/encode.ts";
import { loadConfig } from "../load/load.ts";
import { validateConfig } from "../validate/validate.ts";
import { parseContract, supports } from "./contract.ts";
import { generateConfig, type GenerateInput } from "./generate.ts";
import type { SecretsBundle } from "../../secrets/bundle.ts";

const pair = (name: string) => ({ crt: `${name} certificate\n`, key: `${name} key\n` });

const secrets: SecretsBundle = {
  cluster: { id: "cluster-id", secret: "cluster-secret" },
  secrets: {
    bootstrapToken: "abcdef.0123456789abcdef",
    secretboxEncryptionSecret: "secretbox-secret",
    aescbcEncryptionSecret: "aescbc-secret",
  },
  trustdInfo: { token: "ghijkl.0123456789ghijkl" },
  certs: {
    etcd: pair("etcd"),
    k8s: pair("k8s"),
    k8sAggregator: pair("aggregator"),
    k8sServiceAccount: { key: "service account key\n" },
    os: pair("os"),
  },
};

function input(
  version: string,
  machineType: GenerateInput["machineType"],
  options: GenerateInput["options"] = {},
): GenerateInput {
  return {
    clusterName: "example",
    endpoint: "https://10.5.0.2:6443",
    secrets,
    machineType,
    versionContract: parseContract(version),
    kubernetesVersion: "1.36.3",
    options: { installDisk: "/dev/sda", installImage: "ghcr.io/siderolabs/installer:v1.13.0", ...options },
  };
}

const versions = Array.from({ length: 11 }, (_, index) => `v1.${index + 3}`);
const everything: GenerateInput["options"] = {
  additionalSans: ["10.5.0.9", "api.internal"],
  registryMirrors: { "docker.io": ["http://mirror.internal:5000"], "ghcr.io": ["http://mirror.internal:5001"] },
  registryInsecure: ["mirror.internal:5000"],
  registryCaCerts: { "mirror.internal:5001": "ca certificate\n" },
  kubeSpan: true,
  allowSchedulingOnControlPlanes: true,
  localApiServerPort: 7443,
};

/** Set `REWRITE=1` to write the expected files anew, then read the difference. */
function assertGolden(name: string, text: string): void {
  const file = new URL(`./testdata/${name}.yaml`, import.meta.url);
  if (process.env["REWRITE"] === "1") writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"));
}

describe("generateConfig()", () => {
  for (const version of versions) {
    test(`writes for ${version} only what it knows`, () => {
      assertGolden(`${version}-controlplane`, encodeConfig(generateConfig(input(version, "controlplane", everything))));
      assertGolden(`${version}-worker`, encodeConfig(generateConfig(input(version, "worker", everything))));
    });
  }

  for (const machineType of ["init", "controlplane", "worker"] as const) {
    test(`makes a ${machineType} that loads again and is valid in every mode`, () => {
      const config = generateConfig(input("v1.13", machineType));
      const text = encodeConfig(config);
      assert.equal(encodeConfig(loadConfig(text)), text);
      for (const mode of ["metal", "cloud", "container"] as const) {
        assert.deepEqual(validateConfig(loadConfig(text), { mode }), { errors: [], warnings: [] });
      }
    });
  }

  test("gives workers no key of an authority", () => {
    const text = encodeConfig(generateConfig(input("v1.13", "worker")));
    for (const name of ["os", "k8s", "etcd", "aggregator"]) {
      assert.ok(!text.includes(Buffer.from(`${name} key\n`).toString("base64")), name);
    }
  });

  test("explains itself in comments and stays the same configuration", () => {
    const config = generateConfig(input("v1.13", "controlplane"));
    const text = encodeConfig(config, { docs: true, examples: true });
    assert.match(text, /^ {4}extraManifests: \[\]$/m);
    assert.deepEqual(loadConfig(text).machine, loadConfig(encodeConfig(config)).machine);
  });
});

describe("parseContract()", () => {
  test("reads versions with and without v, patch and suffix", () => {
    for (const text of ["v1.13", "1.13", "v1.13.2", "1.13.0-alpha.1"])
      assert.deepEqual(parseContract(text), { major: 1, minor: 13 });
    assert.throws(() => parseContract("latest"), { message: 'error parsing version "vlatest"' });
  });
});

describe("supports()", () => {
  test("knows from which version to which a feature exists", () => {
    const known = (feature: Parameters<typeof supports>[1]) =>
      versions.filter((version) => supports(parseContract(version), feature));
    assert.equal(known("kubePrism")[0], "v1.6");
    assert.equal(known("rbacSwitches").at(-1), "v1.11");
    assert.deepEqual(known("kubeSpanDocument"), ["v1.13"]);
    assert.equal(supports({ major: 2, minor: 0 }, "kubeSpanDocument"), true);
  });
});
