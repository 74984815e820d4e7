import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeCordonedSpec } from "@talos-ts/machinery/resources/k8s";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { nodeCordonedSpecController } from "./node-cordoned-spec.ts";

describe("nodeCordonedSpecController()", () => {
  it("cordons the node while the machine goes down, also while it reboots, until it is back", async () => {
    await using test = controllerTest({ register: [nodeCordonedSpecController()] });
    const stage = (name: "shutting down" | "rebooting" | "running") =>
      test.update(MachineStatus, MachineStatus.id, (spec) => ({ ...spec, stage: name }));
    await test.create(createResource(MachineStatus, MachineStatus.id, MachineStatus.spec({ stage: "running" })));
    await test.settled();
    await test.assertNoResource(NodeCordonedSpec, NodeCordonedSpec.id);
    await stage("shutting down");
    await test.assertResource(NodeCordonedSpec, NodeCordonedSpec.id);
    await stage("rebooting");
    await test.settled();
    await test.assertResource(NodeCordonedSpec, NodeCordonedSpec.id);
    await stage("running");
    await test.assertNoResource(NodeCordonedSpec, NodeCordonedSpec.id);
  });
});
