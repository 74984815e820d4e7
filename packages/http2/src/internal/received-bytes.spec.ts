import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { holdReceived, keepReceived, readSlabBytes, ReceiveMemory, releaseReceived } from "./received-bytes.ts";

/** Reads `count` bytes; what `receive` keeps of them is its own affair. */
function read(memory: ReceiveMemory, count: number, receive: (chunk: Buffer) => void = () => undefined): Buffer {
  memory.next(16_384);
  let received: Buffer = Buffer.alloc(0);
  memory.lend((chunk) => {
    received = chunk;
    receive(chunk);
  }, count);
  return received;
}

const hold = (chunk: Buffer): void => void holdReceived(chunk);

describe("ReceiveMemory", () => {
  it("reads again into memory that nobody keeps", () => {
    const memory = new ReceiveMemory();
    const [first, second] = [read(memory, 100), read(memory, 200)];
    assert.equal(second.buffer, first.buffer);
    assert.equal(second.byteOffset, first.byteOffset);
  });

  it("does not read into what is held, and begins anew when all of it was released", () => {
    const memory = new ReceiveMemory();
    const held = read(memory, 1000, hold);
    const next = read(memory, 1000);
    assert.equal(next.byteOffset, held.byteOffset + 1000);
    releaseReceived(held);
    assert.equal(read(memory, 10).byteOffset, held.byteOffset);
  });

  it("does not read into what is held by the chunk that let an older one go", () => {
    const memory = new ReceiveMemory();
    const first = read(memory, 1000, hold);
    const second = read(memory, 1000, (chunk) => {
      releaseReceived(first);
      hold(chunk);
    });
    assert.notEqual(read(memory, 10).byteOffset, second.byteOffset);
    releaseReceived(second);
  });

  it("takes the slab of released chunks for later reads", () => {
    const memory = new ReceiveMemory();
    const held = read(memory, readSlabBytes, hold);
    assert.notEqual(read(memory, 10, hold).buffer, held.buffer);
    releaseReceived(held);
    const other = new ReceiveMemory();
    assert.equal(read(other, 10).buffer, held.buffer);
    assert.notEqual(read(new ReceiveMemory(), 10).buffer, held.buffer, "it is not given to two at once");
  });

  it("never reads again into a slab of which somebody keeps a chunk for good", () => {
    const memory = new ReceiveMemory();
    const kept = read(memory, readSlabBytes, (chunk) => {
      hold(chunk);
      keepReceived(chunk);
    });
    read(memory, 10);
    releaseReceived(kept);
    const buffers = Array.from({ length: 40 }, () => read(new ReceiveMemory(), 10, keepReceived).buffer);
    assert.ok(!buffers.includes(kept.buffer));
  });
});

describe("holdReceived()", () => {
  it("copies a chunk of a much larger buffer that was not received", () => {
    const small = Buffer.alloc(1000).subarray(0, 10);
    assert.notEqual(holdReceived(small).buffer, small.buffer);
    const large = Buffer.alloc(1000);
    assert.equal(holdReceived(large), large);
  });

  it("copies small chunks when they pin too many slabs", () => {
    const memory = new ReceiveMemory();
    const chunks: Uint8Array[] = [];
    const pinnedBy = (): number => {
      let pins = 0;
      // One byte of each read is held, and a read fills its slab.
      read(memory, readSlabBytes, (chunk) => {
        const held = holdReceived(chunk.subarray(0, 1));
        if (held.buffer === chunk.buffer) pins = 1;
        chunks.push(held);
      });
      return pins;
    };
    const pins = Array.from({ length: 200 }, pinnedBy).reduce((sum, each) => sum + each, 0);
    assert.ok(pins <= 65, `${String(pins)} slabs are pinned`);
    for (const chunk of chunks) releaseReceived(chunk);
    assert.equal(pinnedBy(), 1, "there is room again");
    for (const chunk of chunks.splice(-1)) releaseReceived(chunk);
  });
});
