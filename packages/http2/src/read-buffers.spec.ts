import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keepReceived } from "./internal/received-bytes.ts";
import { readBuffers } from "./read-buffers.ts";

/** Reads `text` as a socket would. Returns the chunk that the receiver got. */
function reader(keeps: (text: string) => boolean): (text: string) => Buffer {
  const buffers = readBuffers();
  let received: Buffer = Buffer.alloc(0);
  buffers.deliverTo((chunk) => {
    received = chunk;
    if (keeps(chunk.toString())) keepReceived(chunk);
  });
  return (text) => {
    const { onread } = buffers;
    const target = typeof onread.buffer === "function" ? onread.buffer() : onread.buffer;
    onread.callback(Buffer.from(text).copy(target), target);
    return received;
  };
}

describe("readBuffers", () => {
  it("reads again into memory that nobody keeps", () => {
    const read = reader(() => false);
    const first = read("first");
    const second = read("other");
    assert.equal(second.byteOffset, first.byteOffset);
    assert.equal(first.toString(), "other");
  });

  it("leaves alone what is kept", () => {
    const read = reader((text) => text.startsWith("keep"));
    const chunks = ["keep 1", "passes", "keep 2", "passes too", "keep 3"].map((text) => read(text));
    const kept = [0, 2, 4].map((index) => chunks[index]?.toString());
    assert.deepEqual(kept, ["keep 1", "keep 2", "keep 3"]);
  });

  it("takes a new buffer before the rest is too small", () => {
    const read = reader(() => true);
    const large = "x".repeat(50_000);
    const [first, second] = [read(large), read(large)];
    assert.notEqual(first.buffer, second.buffer);
  });
});
