import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isRecord, systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { startTestApiServer } from "@talos-ts/kubernetes/testing";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { NodeLabelSpec, Nodename } from "@talos-ts/machinery/resources/k8s";
import { kubernetesSecretFor } from "./internal/testing-kubernetes.ts";
import { nodeApplyController } from "./node-apply.ts";

describe("nodeApplyController()", () => {
  it("puts wanted labels on the own node, with the version that was read", async () => {
    const updated = Promise.withResolvers<unknown>();
    await using server = await startTestApiServer(({ method, path, body }) => {
      assert.equal(path, "/api/v1/nodes/cp-1");
      if (method === "PUT") updated.resolve(body);
      return { metadata: { name: "cp-1", resourceVersion: "7", labels: { own: "x" } }, spec: {}, status: {} };
    });
    await using test = controllerTest({ register: [nodeApplyController({ clock: systemClock, root: "" })] });
    await test.create(
      kubernetesSecretFor(server.access),
      createResource(MachineType, MachineType.id, "controlplane"),
      createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
      createResource(NodeLabelSpec, "zone", { key: "zone", value: "a" }),
    );
    const body = await updated.promise;
    assert.ok(isRecord(body) && isRecord(body["metadata"]));
    assert.equal(body["metadata"]["resourceVersion"], "7");
    assert.partialDeepStrictEqual(body["metadata"]["labels"], { own: "x", zone: "a" });
  });
});
