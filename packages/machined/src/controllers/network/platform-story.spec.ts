import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  AddressStatus,
  HostnameSpec,
  HostnameStatus,
  PlatformConfig,
  ResolverSpec,
  ResolverStatus,
  TimeServerStatus,
} from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import { hostnameMergeController } from "./hostname-merge.ts";
import { resolverMergeController } from "./resolver-merge.ts";
import { timeServerMergeController } from "./time-server-merge.ts";
import { platformConfigController } from "./platform-config.ts";
import { platformConfigApplyController } from "./platform-config-apply.ts";
import { resolverConfigController } from "./resolver-config.ts";
import { resolverSpecController } from "./resolver-spec.ts";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";
import { timeServerConfigController } from "./time-server-config.ts";
import { timeServerSpecController } from "./time-server-spec.ts";

const network = async () => ({ hostname: "node-1.lan", resolvers: ["10.5.0.1"], instanceType: "2CPU-4RAM" });

function test(known: typeof network | undefined = network) {
  const machine = testMachine(known === undefined ? {} : { platform: { network: known } });
  return controllerTest({
    register: [
      hostnameMergeController(),
      resolverMergeController(),
      timeServerMergeController(),
      platformConfigController(machine),
      platformConfigApplyController(),
      resolverConfigController(),
      resolverSpecController(),
      timeServerConfigController(),
      timeServerSpecController(),
    ],
  });
}

const resolvers = (
  kit: ReturnType<typeof test>,
  dnsServers: readonly string[],
  searchDomains: readonly string[] = [],
) => kit.assertSpec(ResolverStatus, "resolvers", { dnsServers, searchDomains });

describe("platform pipeline", () => {
  it("turns name, resolvers and type of the container into specs and metadata", async () => {
    await using kit = test();
    const expected = { hostname: "node-1", domainname: "lan", layer: "platform" } as const;
    await kit.assertSpec(HostnameSpec, "hostname", expected);
    await resolvers(kit, ["10.5.0.1"]);
    await kit.assertResource(PlatformMetadata, "platformmetadata", ({ spec }) => {
      assert.equal(spec.platform, "container");
      assert.equal(spec.instanceType, "2CPU-4RAM");
    });
    await kit.assertResource(PlatformConfig, "active");
  });
  it("shows external addresses as addresses that no link has", async () => {
    await using kit = test();
    await kit.create(createResource(PlatformConfig, "cached", PlatformConfig.spec({ externalIPs: ["192.0.2.1"] })));
    await kit.settled();
    await kit.assertNoResource(AddressStatus, "external/192.0.2.1/32");
    await kit.runtime.stop();
    await using alone = controllerTest({ register: [platformConfigApplyController()] });
    await alone.create(createResource(PlatformConfig, "active", PlatformConfig.spec({ externalIPs: ["192.0.2.1"] })));
    await alone.assertResource(AddressStatus, "external/192.0.2.1/32", ({ spec }) =>
      assert.equal(spec.scope, "global"),
    );
  });
});

describe("resolver pipeline", () => {
  it("uses defaults without any source, and the configuration before all others", async () => {
    await using kit = test(async () => ({ hostname: "", resolvers: [], instanceType: "" }));
    await resolvers(kit, ["1.1.1.1", "8.8.8.8"]);
    const document = "apiVersion: v1alpha1\nkind: ResolverConfig\nnameservers:\n  - address: 9.9.9.9\n";
    await kit.create(activeResource(mainDocument(), document));
    await resolvers(kit, ["9.9.9.9"]);
  });
  it("keeps servers of the family a higher layer says nothing about", async () => {
    await using kit = test(async () => ({ hostname: "", resolvers: ["fd00::1"], instanceType: "" }));
    await resolvers(kit, ["fd00::1", "1.1.1.1", "8.8.8.8"]);
  });
  it("searches the domain of the host unless told not to, and adds those of the configuration before it", async () => {
    await using kit = test();
    await kit.create(createResource(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" }));
    await kit.create(activeResource(mainDocument("network:", "  searchDomains: [corp]")));
    await resolvers(kit, ["10.5.0.1"], ["corp", "lan"]);
  });
  it("has one merged spec whose layer is the highest that spoke", async () => {
    await using kit = test();
    await kit.assertResource(ResolverSpec, "resolvers", ({ spec }) => assert.equal(spec.layer, "platform"));
  });
});

describe("time server pipeline", () => {
  it("has a default that the configuration replaces", async () => {
    await using kit = test();
    await kit.assertSpec(TimeServerStatus, "timeservers", { timeServers: ["time.cloudflare.com"] });
    await kit.create(activeResource(mainDocument("time:", "  servers: [10.5.0.1, ntp.lan]")));
    await kit.assertSpec(TimeServerStatus, "timeservers", { timeServers: ["10.5.0.1", "ntp.lan"] });
  });
});
