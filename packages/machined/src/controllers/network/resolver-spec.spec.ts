import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ResolverSpec, ResolverStatus } from "@talos-ts/machinery/resources/network";
import { resolverSpecController } from "./resolver-spec.ts";

describe("resolverSpecController()", () => {
  it("publishes the merged spec as the status, and withdraws it", async () => {
    await using kit = controllerTest({ register: [resolverSpecController()] });
    const resolvers = { dnsServers: ["10.5.0.1"], searchDomains: ["lan"] };
    const spec = createResource(ResolverSpec, ResolverSpec.id, { ...resolvers, layer: "platform" });
    await kit.create(spec);
    await kit.assertSpec(ResolverStatus, ResolverStatus.id, resolvers);
    await kit.remove(spec);
    await kit.assertNoResource(ResolverStatus, ResolverStatus.id);
  });
});
