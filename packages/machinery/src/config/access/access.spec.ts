import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { bondConfig } from "../documents/bond-config.ts";
import { documentSchemas } from "../documents/index.ts";
import { documentFileName } from "../schema/document-file-name.ts";
import { encodeConfig } from "../encode/encode.ts";
import { loadConfig } from "../load/load.ts";
import { documentOf, documentsOf } from "./documents.ts";
import { clusterNetworksOf, environmentOf, isComplete, kubePrismOf, machineTypeOf } from "./machine.ts";
import { hostnameOf, resolversOf, staticHostsOf, timeSyncOf } from "./network.ts";
import { redactConfig } from "./redact.ts";
import { registryAuthsOf, registryMirrorsOf, registryTlsOf } from "./registries.ts";

const document = (kind: string, rest = ""): string => `apiVersion: v1alpha1\nkind: ${kind}\n${rest}\n`;
const legacy = (machine: string): string => `machine: {${machine}}\n`;
const both = (machine: string, ...documents: readonly string[]): ReturnType<typeof loadConfig> =>
  loadConfig([legacy(machine), ...documents].join("---\n"));

describe("documentsOf()", () => {
  test("gives all documents of a kind, typed", () => {
    const config = loadConfig(
      [document("BondConfig", "name: a\nlinks: [x]"), document("BondConfig", "name: b")].join("---\n"),
    );
    assert.deepEqual(
      documentsOf(config, bondConfig).map(({ name, links }) => [name, links]),
      [
        ["a", ["x"]],
        ["b", undefined],
      ],
    );
    assert.equal(documentOf(config, bondConfig)?.name, "a");
  });
});

describe("settings of the network", () => {
  test("hostnameOf() prefers the document", () => {
    assert.deepEqual(hostnameOf(both("network: {hostname: old}")), { hostname: "old", auto: "talos-addr" });
    assert.deepEqual(hostnameOf(both("features: {stableHostname: true}")), { hostname: undefined, auto: "stable" });
    assert.deepEqual(hostnameOf(both("network: {hostname: old}", document("HostnameConfig", "hostname: new"))), {
      hostname: "new",
      auto: "off",
    });
    assert.equal(hostnameOf(loadConfig(document("ResolverConfig"))), undefined);
  });

  test("resolversOf() prefers the document", () => {
    assert.deepEqual(resolversOf(both("network: {nameservers: [10.0.0.1], searchDomains: [a]}")), {
      nameservers: ["10.0.0.1"],
      searchDomains: ["a"],
      disableSearchDomain: false,
    });
    const own = document("ResolverConfig", "nameservers: [{address: 10.0.0.2}]\nsearchDomains: {disableDefault: true}");
    assert.deepEqual(resolversOf(both("network: {nameservers: [10.0.0.1]}", own)), {
      nameservers: ["10.0.0.2"],
      searchDomains: [],
      disableSearchDomain: true,
    });
  });

  test("staticHostsOf() joins both", () => {
    const config = both(
      "network: {extraHostEntries: [{ip: 10.0.0.1, aliases: [a]}]}",
      document("StaticHostConfig", "name: 10.0.0.2\nhostnames: [b]"),
    );
    assert.deepEqual(staticHostsOf(config), [
      { address: "10.0.0.1", hostnames: ["a"] },
      { address: "10.0.0.2", hostnames: ["b"] },
    ]);
  });

  test("timeSyncOf() prefers the document", () => {
    assert.deepEqual(timeSyncOf(both("time: {disabled: true, servers: [a], bootTimeout: 1m}")), {
      enabled: false,
      servers: ["a"],
      ptpDevices: [],
      bootTimeoutMs: 60_000,
    });
    const own = document("TimeSyncConfig", "ptp: {devices: [/dev/ptp0]}");
    assert.deepEqual(timeSyncOf(both("", own)), {
      enabled: true,
      servers: [],
      ptpDevices: ["/dev/ptp0"],
      bootTimeoutMs: 0,
    });
    assert.equal(timeSyncOf(both("")), undefined);
  });
});

describe("settings of registries", () => {
  test("a document replaces what the main document says about its host", () => {
    const machine =
      "registries: {mirrors: {a: {endpoints: [http://old], overridePath: true}, b: {endpoints: [http://b]}}, config: {a: {auth: {username: u}, tls: {ca: Y2E=}}}}";
    const config = both(
      machine,
      document("RegistryMirrorConfig", "name: a\nendpoints: [{url: http://new}]"),
      document("RegistryAuthConfig", "name: c\nidentityToken: t"),
      document("RegistryTLSConfig", "name: c\ninsecureSkipVerify: true"),
    );
    assert.deepEqual(
      [...registryMirrorsOf(config)],
      [
        ["a", { endpoints: [{ url: "http://new", overridePath: false }], skipFallback: false }],
        ["b", { endpoints: [{ url: "http://b", overridePath: false }], skipFallback: false }],
      ],
    );
    assert.deepEqual(
      [registryAuthsOf(config).get("a")?.username, registryAuthsOf(config).get("c")?.identityToken],
      ["u", "t"],
    );
    assert.deepEqual(
      [registryTlsOf(config).get("a")?.ca, registryTlsOf(config).get("c")?.insecureSkipVerify],
      ["ca", true],
    );
  });
});

describe("settings of the machine and the cluster", () => {
  test("have defaults", () => {
    const config = loadConfig("machine: {type: join}\n");
    assert.equal(machineTypeOf(config), "worker");
    assert.deepEqual(clusterNetworksOf(config), {
      dnsDomain: "cluster.local",
      podSubnets: ["10.244.0.0/16"],
      serviceSubnets: ["10.96.0.0/12"],
      cni: { name: "flannel", urls: [], flannelExtraArgs: [] },
    });
    assert.deepEqual(kubePrismOf(config), { enabled: false, port: 7445 });
    assert.deepEqual([isComplete(config), isComplete(loadConfig(document("ResolverConfig")))], [true, false]);
  });

  test("environmentOf() lets the document win", () => {
    const config = both("env: {a: '1', b: '2'}", document("EnvironmentConfig", "variables: {b: '3'}"));
    assert.deepEqual(environmentOf(config), { a: "1", b: "3" });
  });
});

describe("redactConfig()", () => {
  for (const { kind } of documentSchemas()) {
    test(`leaves no secret of a ${kind}`, () => {
      const text = readFileSync(
        new URL(`../documents/testdata/${documentFileName(kind)}_full.yaml`, import.meta.url),
        "utf8",
      );
      const redacted = encodeConfig(redactConfig(loadConfig(text), "******"));
      assert.doesNotMatch(
        redacted,
        /PRIVATE KEY|[sS]ecret-token|passphrase: (?!'\*)|(?:password|privateKey|presharedKey|apiToken|token): (?!'\*)/,
      );
    });
  }

  test("hides only the join token of an address", () => {
    const config = loadConfig(document("SideroLinkConfig", "apiUrl: https://a/?jointoken=secret&user=b"));
    assert.match(encodeConfig(redactConfig(config, "***")), /apiUrl: https:\/\/a\/\?jointoken=%2A%2A%2A&user=b/);
  });
});
