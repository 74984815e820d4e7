import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { NodeLabelSpec, NodeStatus } from "@talos-ts/machinery/resources/k8s";
import { answersOf, startFakeNode } from "../testing/fake-node.ts";

describe("resolveNodes()", () => {
  it("chooses nodes by labels of Kubernetes and of the configuration", async () => {
    await using node = await startFakeNode({
      types: [Member, NodeStatus, NodeLabelSpec],
      machine: {
        version: (_request, context) => ({ messages: answersOf(context, () => ({ version: { tag: "v1.13.9" } })) }),
      },
    });
    const { state } = node;
    const member = Member.spec({ hostname: "w-1", machineType: "worker", addresses: ["10.5.0.3"] });
    await state.create(createResource(Member, "w-1", member));
    const labels = { "example.org/gpu": "yes" };
    await state.create(createResource(NodeStatus, "w-1", NodeStatus.spec({ nodename: "w-1", labels })));
    const zone = NodeLabelSpec.spec({ key: "zone", value: "a" });
    await state.create(createResource(NodeLabelSpec, "zone", zone));

    for (const term of ["label=example.org/gpu", "label=example.org/gpu=yes", "label=zone=a"]) {
      const { out, err, code } = await node.run("version", "--on", term);
      assert.equal(code, 0, err);
      assert.match(out, /NODE: +10\.5\.0\.3/, term);
    }
    const nobody = await node.run("version", "--on", "label=zone=b");
    assert.equal(nobody.code, 1);
    assert.match(nobody.err, /No member of the cluster is label=zone=b; there are w-1 \(worker\)/);
  });
});
