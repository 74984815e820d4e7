import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { VolumeStatus } from "@talos-ts/machinery/resources/block";
import { MetaKey } from "@talos-ts/machinery/resources/runtime";
import { roles } from "@talos-ts/machinery/roles";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode } from "../../testing.ts";
import { metaCapacityBytes } from "../../../meta/meta-codec.ts";

async function createMetalNode() {
  const node = await createTestNode({ mode: "metal" });
  await node.machine.state.create(createResource(VolumeStatus, "META", VolumeStatus.spec({ phase: "missing" })));
  return node;
}

const value = Buffer.from("x");

describe("metaWrite() and metaDelete()", () => {
  it("keep and forget a value for whoever may write META", async () => {
    await using node = await createMetalNode();
    const client = node.client(MachineService, roles.metaWriter);
    assert.equal((await client.metaWrite({ key: 0x0c, value })).messages.length, 1);
    const [key] = await node.machine.state.list({ namespace: "runtime", type: MetaKey.type });
    assert.equal(key?.metadata.id, "0x0c");
    assert.equal((await client.metaDelete({ key: 0x0c })).messages.length, 1);
    await assert.rejects(client.metaDelete({ key: 0x0c }), { kind: "not-found", message: "meta key not found" });
    await assert.rejects(node.client(MachineService, roles.operator).metaWrite({ key: 0x0c, value }), {
      kind: "permission-denied",
    });
  });
  it("refuse keys and values that META cannot hold", async () => {
    await using node = await createMetalNode();
    const client = node.client(MachineService);
    const wrong = { kind: "invalid-argument", message: "key must be a uint8" };
    await assert.rejects(client.metaWrite({ key: 256, value }), wrong);
    await assert.rejects(client.metaDelete({ key: 256 }), wrong);
    await assert.rejects(client.metaWrite({ key: 0, value }), { kind: "invalid-argument", message: /0x01 to 0xff/ });
    await assert.rejects(client.metaWrite({ key: 1, value: Buffer.alloc(metaCapacityBytes) }), {
      kind: "resource-exhausted",
      message: /^meta write failed/,
    });
  });
});
