import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeTaintSpec } from "@talos-ts/machinery/resources/k8s";
import { activeResource, mainDocument, testConfig } from "../internal/testing.ts";
import { nodeTaintSpecController } from "./node-taint-spec.ts";

const reserved = "node-role.kubernetes.io/control-plane";

describe("nodeTaintSpecController()", () => {
  it("keeps workloads off control planes", async () => {
    await using test = controllerTest({ register: [nodeTaintSpecController()] });
    await test.create(activeResource(await testConfig("controlplane")));
    await test.assertSpec(NodeTaintSpec, reserved, { key: reserved, value: "", effect: "NoSchedule" });
  });
  it("publishes the taints of the configuration on workers", async () => {
    await using test = controllerTest({ register: [nodeTaintSpecController()] });
    await test.create(activeResource(mainDocument("nodeTaints: {gpu: 'yes:NoExecute'}")));
    await test.assertSpec(NodeTaintSpec, "gpu", { key: "gpu", value: "yes", effect: "NoExecute" });
    await test.assertNoResource(NodeTaintSpec, reserved);
  });
});
