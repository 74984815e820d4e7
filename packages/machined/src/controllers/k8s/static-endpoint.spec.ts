import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { staticEndpointController } from "./static-endpoint.ts";

describe("staticEndpointController()", () => {
  it("takes addresses as they are and resolves names", async () => {
    const resolveHost = async () => ["10.5.0.2", "10.5.0.3"];
    await using test = controllerTest({ register: [staticEndpointController({ resolveHost })] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.assertSpec(Endpoint, "controlplane", { addresses: ["10.5.0.2"], hosts: [] });
    await test.remove(config);
    await test.assertNoResource(Endpoint, "controlplane");
    await test.create(activeResource(await testConfig("worker", {}, "https://cp.example.org:6443")));
    await test.assertSpec(Endpoint, "controlplane", { addresses: ["10.5.0.2", "10.5.0.3"], hosts: ["cp.example.org"] });
  });
});
