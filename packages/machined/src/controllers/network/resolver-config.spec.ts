import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HostnameStatus, ResolverSpec } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { resolverConfigController } from "./resolver-config.ts";

const defaults = { dnsServers: ["1.1.1.1", "8.8.8.8"], layer: "default" } as const;

describe("resolverConfigController()", () => {
  it("publishes the default servers without a configuration", async () => {
    await using kit = controllerTest({ register: [resolverConfigController()] });
    await kit.assertSpec(ResolverSpec, "default/resolvers", { ...defaults, searchDomains: [] }, { namespace });
    await kit.settled();
    await kit.assertNoResource(ResolverSpec, "configuration/resolvers", { namespace });
  });
  it("publishes servers and search domains of the configuration, and searches the domain of the host", async () => {
    await using kit = controllerTest({ register: [resolverConfigController()] });
    const lines = ["network:", "  nameservers: [9.9.9.9]", "  searchDomains: [corp]"];
    await kit.create(
      activeResource(mainDocument(...lines)),
      createResource(HostnameStatus, HostnameStatus.id, { hostname: "node-1", domainname: "lan" }),
    );
    await kit.assertSpec(
      ResolverSpec,
      "configuration/resolvers",
      { dnsServers: ["9.9.9.9"], searchDomains: ["corp"], layer: "configuration" },
      { namespace },
    );
    await kit.assertSpec(ResolverSpec, "default/resolvers", { ...defaults, searchDomains: ["lan"] }, { namespace });
  });
});
