import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openRawCall, type ClientTlsMaterial } from "@talos-ts/grpc";
import { freePort } from "@talos-ts/host/testing";
import { maxCallsPerCaller } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";
import { createCluster, type Cluster } from "./testing/authority.ts";
import { connect, createNode } from "./testing/node.ts";

const address = "127.77.1.1";
const version = "/machine.MachineService/Version";

let cluster: Cluster;
let admin: ClientTlsMaterial;
let reader: ClientTlsMaterial;
let port: number;
before(async () => {
  cluster = await createCluster();
  [admin, reader] = [await cluster.user(roles.admin), await cluster.user(roles.reader)];
  port = await freePort();
});

describe("limits of a caller", () => {
  it("refuses a request by the size it announces, before anything of it reaches machined", async () => {
    await using node = await createNode({ cluster, address, port });
    await using caller = connect(node, { material: reader });
    for (const metadata of [{}, { nodes: [address] }, { node: address }]) {
      const call = openRawCall(caller.channel, "/cosi.resource.State/List", { metadata });
      call.closeSend(Buffer.alloc(28_000_000));
      const { error } = await call.status;
      assert.ok(error);
      assert.match(error.kind, /resource-exhausted|invalid-argument/);
    }
    assert.equal(node.machined.received.length, 0);
    await caller.client.version({});
  });

  it("keeps calls without a request to their quota, while others are served", async () => {
    await using node = await createNode({ cluster, address, port });
    await using attacker = connect(node, { material: reader });
    const calls = Array.from({ length: 700 }, () => openRawCall(attacker.channel, version));
    const refused: string[] = [];
    const enough = Promise.withResolvers<void>();
    for (const call of calls) {
      void call.status.then(({ error }) => {
        refused.push(error?.kind ?? "ok");
        if (refused.length === calls.length - maxCallsPerCaller) enough.resolve();
      });
    }
    await enough.promise;
    await using other = connect(node, { material: admin });
    assert.equal((await other.client.version({})).messages.length, 1);
    assert.deepEqual([...new Set(refused)], ["resource-exhausted"]);
    assert.equal(refused.length, calls.length - maxCallsPerCaller);
    for (const call of calls) call.cancel();
    await Promise.all(calls.map(({ status }) => status));
    // The places are free again once the node has seen the cancellations, which come before this call.
    assert.equal((await attacker.client.version({})).messages.length, 1);
  });
});
