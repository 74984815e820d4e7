import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import {
  AddressSpec,
  HostDNSConfig,
  HostnameStatus,
  NetworkStatus,
  NodeAddress,
  ResolverStatus,
  RouteStatus,
} from "@talos-ts/machinery/resources/network";
import { networkEtcFileController } from "./etc-file.ts";
import { hostDnsConfigController } from "./host-dns-config.ts";
import { configNamespace } from "./internal/resource-ids.ts";
import { networkStatusController } from "./network-status.ts";
import { machineConfig, mainDocument, testMachine } from "./testing.ts";

const hostname = createResource(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" });
const resolvers = createResource(ResolverStatus, "resolvers", { dnsServers: ["10.5.0.1"], searchDomains: ["lan"] });
const nodeAddress = (id: string) =>
  createResource(NodeAddress, id, { addresses: ["10.5.0.2/24"], sortAlgorithm: "v1" as const });
const hostDns = mainDocument("features:", "  hostDNS:", "    enabled: true", "    forwardKubeDNSToHost: true");

async function test() {
  const root = await mkdtemp(join(tmpdir(), "etc-file-"));
  const machine = testMachine({ root });
  const kit = controllerTest({
    register: [networkEtcFileController(machine), hostDnsConfigController(), networkStatusController(machine)],
  });
  return {
    ...kit,
    root,
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await rm(root, { recursive: true });
    },
  };
}

describe("networkEtcFileController()", () => {
  it("renders hosts with the names of this machine and those of the configuration", async () => {
    await using kit = await test();
    const host = "apiVersion: v1alpha1\nkind: StaticHostConfig\nname: 10.5.0.9\nhostnames: [b.lan, b]\n";
    const config = mainDocument("network:", "  extraHostEntries:", "    - ip: 10.5.0.10", "      aliases: [a]");
    await kit.create(hostname, nodeAddress("default"), machineConfig(config, host));
    const contents = [
      "127.0.0.1 localhost",
      "10.5.0.2  node-1.lan node-1",
      "::1       localhost ip6-localhost ip6-loopback",
      "ff02::1   ip6-allnodes",
      "ff02::2   ip6-allrouters",
      "10.5.0.10 a",
      "10.5.0.9  b.lan b",
      "",
    ].join("\n");
    await kit.assertResource(EtcFileSpec, "hosts", ({ spec }) => assert.equal(spec.contents, contents));
  });
  it("keeps the resolv.conf of a container, and gives pods the host's own DNS", async () => {
    await using kit = await test();
    await kit.create(resolvers, machineConfig(hostDns));
    await kit.assertResource(HostDNSConfig, "config", ({ spec }) => assert.equal(spec.enabled, true));
    await kit.settled();
    await kit.assertNoResource(EtcFileSpec, "resolv.conf");
    const pods = await readFile(join(kit.root, "system/resolved/resolv.conf"), "utf8");
    assert.equal(pods, "nameserver 169.254.116.108\n\nsearch lan\n");
  });
});

describe("hostDnsConfigController()", () => {
  it("listens for the host only until the cluster's DNS is to be forwarded", async () => {
    await using kit = await test();
    await kit.assertResource(HostDNSConfig, "config", ({ spec }) => {
      assert.equal(spec.enabled, false);
      assert.deepEqual(spec.listenAddresses, ["127.0.0.53:53"]);
    });
    const config = machineConfig(hostDns);
    await kit.create(config);
    await kit.assertResource(HostDNSConfig, "config", ({ spec }) => {
      assert.deepEqual(spec.listenAddresses, ["127.0.0.53:53", "169.254.116.108:53"]);
      assert.equal(spec.serviceHostDNSAddress, "169.254.116.108");
    });
    const id = "operator/lo/169.254.116.108/32";
    await kit.assertResource(AddressSpec, id, ({ spec }) => assert.equal(spec.scope, "host"), {
      namespace: configNamespace,
    });
    await kit.remove(config);
    await kit.assertNoResource(AddressSpec, id, { namespace: configNamespace });
  });
});

describe("networkStatusController()", () => {
  it("raises each flag when its part is there; a container needs no resolv.conf", async () => {
    await using kit = await test();
    const flags = (...ready: readonly boolean[]) =>
      kit.assertResource(NetworkStatus, "status", ({ spec }) =>
        assert.deepEqual([spec.addressReady, spec.connectivityReady, spec.hostnameReady, spec.etcFilesReady], ready),
      );
    await flags(false, false, false, false);
    await kit.create(nodeAddress("current"));
    await flags(true, false, false, false);
    await kit.create(createResource(RouteStatus, "inet4/10.5.0.1//0", RouteStatus.spec({ gateway: "10.5.0.1" })));
    await flags(true, true, false, false);
    await kit.create(hostname);
    await flags(true, true, true, false);
    await kit.create(createResource(EtcFileStatus, "hosts", { specVersion: "1" }));
    await flags(true, true, true, true);
  });
});
