import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { ClusterService } from "@talos-ts/proto/cluster/cluster";
import { testConfig } from "../../../controllers/internal/testing.ts";
import { createTestNode } from "../../testing.ts";

/** Nobody serves the API of this machine in a test, so the first check waits until its time is over. */
async function check(
  type: "controlplane" | "worker",
  nodes: { readonly controlPlaneNodes?: string[]; readonly workerNodes?: string[] } = {},
): Promise<{ readonly lines: readonly string[]; readonly error: OsError }> {
  await using node = await createTestNode();
  await node.machine.config.activate(await testConfig(type));
  const members = [
    ["cp-1", "10.5.0.2", "controlplane"],
    ["w-1", "10.5.0.3", "worker"],
  ] as const;
  for (const [id, address, machineType] of members) {
    const spec = Member.spec({ nodeId: id, hostname: id, machineType, addresses: [address] });
    await node.machine.state.create(createResource(Member, id, spec));
  }
  const lines: string[] = [];
  const request = { waitTimeout: durationFromMs(200), clusterInfo: nodes };
  try {
    for await (const { message } of node.client(ClusterService).healthCheck(request)) lines.push(message);
  } catch (err) {
    return { lines, error: OsError.from(err) };
  }
  throw new Error("a cluster that is not there is healthy");
}

describe("healthCheck()", () => {
  it("T-21: asks the members of the cluster, tells what it waits for, and ends with the check that did not pass", async () => {
    const { lines, error } = await check("controlplane");
    assert.deepEqual(lines.slice(0, 2), [
      'discovered nodes: ["10.5.0.2" "10.5.0.3"]',
      "waiting for etcd to be healthy: ...",
    ]);
    assert.equal(error.kind, "deadline-exceeded");
    assert.match(error.message, /^healthcheck error: timed out waiting for etcd to be healthy: /);
  });
  it("T-22: asks the nodes of the request instead", async () => {
    const { lines } = await check("controlplane", { controlPlaneNodes: ["10.9.0.1"], workerNodes: ["10.9.0.2"] });
    assert.equal(lines[0], 'discovered nodes: ["10.9.0.1" "10.9.0.2"]');
  });
  it("T-20: is only there on control plane nodes", async () => {
    const { error } = await check("worker");
    assert.equal(error.kind, "unimplemented");
    assert.equal(error.message, "health check is only available on control plane nodes");
  });
});
