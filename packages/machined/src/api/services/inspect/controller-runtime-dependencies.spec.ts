import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { transformController } from "@talos-ts/cosi";
import { HostnameSpec, HostnameStatus } from "@talos-ts/machinery/resources/network";
import { DependencyEdgeType, InspectService } from "@talos-ts/proto/inspect/inspect";
import { createTestNode } from "../../testing.ts";

describe("controllerRuntimeDependencies()", () => {
  it("shows who reads and who writes what", async () => {
    await using node = await createTestNode();
    node.machine.runtime.register(
      transformController({
        name: "test.Controller",
        input: HostnameSpec,
        output: HostnameStatus,
        transform: () => HostnameStatus.spec({}),
      }),
    );
    const [answer] = (await node.client(InspectService).controllerRuntimeDependencies({})).messages;
    const edges = (answer?.edges ?? []).map(({ edgeType, resourceType }) => [
      DependencyEdgeType[edgeType],
      resourceType,
    ]);
    assert.deepEqual(edges, [
      ["OUTPUT_EXCLUSIVE", HostnameStatus.type],
      ["INPUT_WEAK", HostnameSpec.type],
      ["INPUT_DESTROY_READY", HostnameStatus.type],
    ]);
    assert.equal(answer?.edges[0]?.controllerName, "test.Controller");
  });
});
