import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeIP, NodeIPConfig } from "@talos-ts/machinery/resources/k8s";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource, testConfig } from "../internal/testing.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";

describe("nodeIPController()", () => {
  it("T-54: takes one address of each family of the services, none of Kubernetes", async () => {
    await using test = controllerTest({ register: [nodeIPConfigController(), nodeIPController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.assertSpec(NodeIPConfig, "kubelet", {
      validSubnets: ["0.0.0.0/0"],
      excludeSubnets: ["10.244.0.0/16", "10.96.0.0/12"],
    });
    const addresses = ["10.244.1.1/24", "10.5.0.3/24", "192.168.1.1/24", "fd00::3/64"];
    await test.create(createResource(NodeAddress, "routed-no-k8s", NodeAddress.spec({ addresses })));
    await test.assertSpec(NodeIP, "kubelet", { addresses: ["10.5.0.3"] });
    await test.update(NodeIPConfig, "kubelet", (spec) => ({ ...spec, validSubnets: ["::/0", "192.168.0.0/16"] }));
    await test.assertSpec(NodeIP, "kubelet", { addresses: ["fd00::3", "192.168.1.1"] });
  });
});
