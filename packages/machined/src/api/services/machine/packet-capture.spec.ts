import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode } from "../../testing.ts";

describe("packetCapture()", () => {
  it("streams a pcap file with the frames of a link, and stops when the caller goes", async () => {
    await using node = await createTestNode();
    const { here } = node.linux.networks;
    await here.createLink({ name: "left", up: true, info: { kind: "veth", peer: { name: "right" } } });
    const [left, right] = [await here.link("left"), await here.link("right")];
    assert.ok(left && right);
    using sender = await here.openPackets(left.index);
    const gone = new AbortController();
    const parts: Buffer[] = [];
    const read = async (): Promise<void> => {
      const stream = node
        .client(MachineService)
        .packetCapture({ interface: "right", snapLen: 20 }, { signal: gone.signal });
      for await (const { bytes } of stream) {
        parts.push(Buffer.from(bytes));
        if (parts.length === 1) sender.send(Buffer.from("4500000000000000", "hex"), "ff:ff:ff:ff:ff:ff");
        else gone.abort();
      }
    };
    await assert.rejects(read(), { kind: "cancelled" });
    const file = Buffer.concat(parts);
    assert.equal(file.readUInt32LE(0), 0xa1b2c3d4);
    assert.deepEqual([file.readUInt32LE(16), file.readUInt32LE(20)], [20, 1]);
    assert.deepEqual([file.readUInt32LE(32), file.readUInt32LE(36)], [20, 22], "cut, with its real length");
  });

  it("refuses a link that is not there and a program that cannot be one", async () => {
    await using node = await createTestNode();
    const capture = async (request: object): Promise<void> => {
      for await (const _part of node.client(MachineService).packetCapture(request));
    };
    await assert.rejects(capture({ interface: "nope" }), { kind: "not-found", message: /interface "nope" not found/ });
    await assert.rejects(capture({ interface: "lo", bpfFilter: [{ op: 70_000, jt: 0, jf: 0, k: 0 }] }), {
      kind: "invalid-argument",
      message: /instruction 0 of the BPF filter is out of range/,
    });
  });
});
