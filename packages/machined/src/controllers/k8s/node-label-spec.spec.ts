import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeLabelSpec } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { nodeLabelSpecController } from "./node-label-spec.ts";

describe("nodeLabelSpecController()", () => {
  it("labels control planes with their role", async () => {
    await using test = controllerTest({ register: [nodeLabelSpecController()] });
    const config = activeResource(await testConfig("controlplane"));
    await test.create(config);
    const key = "node-role.kubernetes.io/control-plane";
    await test.assertSpec(NodeLabelSpec, key, { key, value: "" });
    await test.remove(config);
    await test.assertNoResource(NodeLabelSpec, key);
  });
});
