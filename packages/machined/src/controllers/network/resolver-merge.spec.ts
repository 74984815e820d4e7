import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ResolverSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { resolverMergeController } from "./resolver-merge.ts";

const from = (id: string, spec: Parameters<typeof ResolverSpec.spec>[0]) =>
  createResource(ResolverSpec, id, ResolverSpec.spec(spec), { namespace: configNamespace });

describe("resolverMergeController()", () => {
  it("adds up search domains and replaces servers per address family", async () => {
    await using kit = controllerTest({ register: [resolverMergeController()] });
    await kit.create(
      from("default/resolvers", { dnsServers: ["1.1.1.1", "fd00::1"], searchDomains: ["lan"], layer: "default" }),
      from("platform/resolvers", { dnsServers: ["10.5.0.1"], searchDomains: ["corp"], layer: "platform" }),
    );
    await kit.assertSpec(ResolverSpec, "resolvers", {
      dnsServers: ["10.5.0.1", "fd00::1"],
      searchDomains: ["corp", "lan"],
      layer: "platform",
    });
    await kit.create(from("configuration/resolvers", { dnsServers: ["9.9.9.9"], layer: "configuration" }));
    await kit.assertSpec(ResolverSpec, "resolvers", {
      dnsServers: ["9.9.9.9"],
      searchDomains: ["corp", "lan"],
      layer: "configuration",
    });
  });
  it("makes no spec without servers", async () => {
    await using kit = controllerTest({ register: [resolverMergeController()] });
    await kit.create(from("configuration/resolvers", { searchDomains: ["lan"], layer: "configuration" }));
    await kit.settled();
    await kit.assertNoResource(ResolverSpec, "resolvers");
  });
});
