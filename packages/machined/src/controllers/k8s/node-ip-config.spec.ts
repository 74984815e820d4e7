import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeIPConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";

describe("nodeIPConfigController()", () => {
  it("allows the families of the services and excludes pods and services", async () => {
    await using test = controllerTest({ register: [nodeIPConfigController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.assertSpec(NodeIPConfig, "kubelet", {
      validSubnets: ["0.0.0.0/0"],
      excludeSubnets: ["10.244.0.0/16", "10.96.0.0/12"],
    });
    await test.remove(config);
    await test.assertNoResource(NodeIPConfig, "kubelet");
  });
});
