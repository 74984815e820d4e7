import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { HostDNSConfig, HostnameStatus, NodeAddress, ResolverStatus } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { etcFiles } from "./testing/etc-files.ts";

const hostname = createResource(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" });

const resolvers = createResource(ResolverStatus, "resolvers", { dnsServers: ["10.5.0.1"], searchDomains: ["lan"] });

const nodeAddress = (id: string) =>
  createResource(NodeAddress, id, { addresses: ["10.5.0.2/24"], sortAlgorithm: "v1" as const });

const hostDns = mainDocument("features:", "  hostDNS:", "    enabled: true", "    forwardKubeDNSToHost: true");

describe("networkEtcFileController()", () => {
  it("renders hosts with the names of this machine and those of the configuration", async () => {
    await using kit = await etcFiles();
    const host = "apiVersion: v1alpha1\nkind: StaticHostConfig\nname: 10.5.0.9\nhostnames: [b.lan, b]\n";
    const config = mainDocument("network:", "  extraHostEntries:", "    - ip: 10.5.0.10", "      aliases: [a]");
    await kit.create(hostname, nodeAddress("default"), activeResource(config, host));
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
    await using kit = await etcFiles();
    await kit.create(resolvers, activeResource(hostDns));
    await kit.assertResource(HostDNSConfig, "config", ({ spec }) => assert.equal(spec.enabled, true));
    await kit.settled();
    await kit.assertNoResource(EtcFileSpec, "resolv.conf");
    const pods = await readFile(join(kit.root, "system/resolved/resolv.conf"), "utf8");
    assert.equal(pods, "nameserver 169.254.116.108\n\nsearch lan\n");
  });
});
